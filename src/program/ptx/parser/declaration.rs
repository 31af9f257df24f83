//! Declarations: parameters, variables, registers, and the types that they have.

use super::*;

impl Parser<'_> {
    pub(super) fn param(&mut self) -> Parsed<Variable> {
        let (space, span) = self.directive("`.param`")?;
        if space != "param" {
            return Err(Problem::new(PtxErrorKind::Syntax, span, format!("expected `.param`, found `.{space}`")));
        }
        let (mut ty, mut align, mut unsupported) = (None, None, None);
        // `.u64 .ptr .global .align 4`: type, then what the pointer points to.
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => {
                    let value = self.alignment()?;
                    align = align.or(ty.is_none().then_some(value));
                }
                "ptr" | "global" | "shared" | "const" | "local" => {}
                "v2" | "v4" => unsupported = unsupported.or(unsupported_type(&word, span)),
                _ if ty.is_none() => {
                    unsupported = unsupported.or(unsupported_type(&word, span));
                    ty = Some(word);
                }
                _ => return Err(unknown_type(&word, span)),
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.u32`") };
        let (name, span) = self.word("the name of the parameter")?;
        let elements = self.array_size()?;
        let align = align.or(type_bytes(&ty)).unwrap_or(1);
        Ok(Variable { space, ty, name, align, elements, initial: vec![], span, unsupported })
    }

    fn alignment(&mut self) -> Parsed<u64> {
        let span = self.here().span.clone();
        let value = self.unsigned("an alignment in bytes")?;
        if value.is_power_of_two() && value <= 4096 {
            Ok(value)
        } else {
            let message = format!("alignment {value} is not a power of two up to 4096");
            Err(Problem::new(PtxErrorKind::Syntax, span, message))
        }
    }

    /// `[4][5]`: the number of elements; 1 when there are no brackets, 0 for `[]`.
    fn array_size(&mut self) -> Parsed<u64> {
        let mut elements = 1u64;
        while self.eat('[') {
            let span = self.here().span.clone();
            let count = if self.is_mark(']') { 0 } else { self.unsigned("a number of elements")? };
            self.expect(']')?;
            elements = elements
                .checked_mul(count)
                .ok_or_else(|| Problem::new(PtxErrorKind::Syntax, span, "array larger than 64 bits can count"))?;
        }
        Ok(elements)
    }

    /// `.shared .align 4 .b8 name[1024], other;`
    pub(super) fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let (space, _) = self.directive("a state space")?;
        let (mut ty, mut align, mut unsupported) = (None, None, None);
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => align = Some(self.alignment()?),
                "v2" | "v4" | "attribute" => {
                    let message = format!("variable with `.{word}` is not supported");
                    unsupported = unsupported.or(Some(Problem::new(PtxErrorKind::Unsupported, span, message)));
                    if self.eat('(') {
                        self.skip_past(')')?;
                    }
                }
                "texref" | "samplerref" | "surfref" => ty = Some(word),
                _ => {
                    unsupported = unsupported.or(unsupported_type(&word, span));
                    ty = Some(word);
                }
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.b32`") };
        let mut out = Vec::new();
        loop {
            let (name, span) = self.word("the name of the variable")?;
            let elements = self.array_size()?;
            let align = align.or(type_bytes(&ty)).unwrap_or(1);
            let (space, ty, mut unsupported) = (space.clone(), ty.clone(), unsupported.clone());
            let mut initial = vec![];
            if self.eat('=') {
                match (space.as_str(), type_bytes(&ty)) {
                    ("const", Some(bytes)) => {
                        let problem = self.initial(&ty, bytes as usize, &mut initial)?;
                        unsupported = unsupported.or(problem);
                    }
                    _ => {
                        self.skip_past(';')?;
                        out.push(Variable { space, ty, name, align, elements, initial, span, unsupported });
                        return Ok(out);
                    }
                }
            }
            out.push(Variable { space, ty, name, align, elements, initial, span, unsupported });
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(out);
            }
        }
    }

    /// `5`, `{1, 2}`, `{{0f3F800000, 1.0}, {2.0}}`: appends the bytes of each value; tells of one that is not a number.
    fn initial(&mut self, ty: &str, bytes: usize, data: &mut Vec<u8>) -> Parsed<Option<Problem>> {
        if self.eat('{') {
            let mut problem = None;
            while !self.is_mark('}') {
                problem = problem.or(self.initial(ty, bytes, data)?);
                if !self.eat(',') {
                    break;
                }
            }
            self.expect('}')?;
            return Ok(problem);
        }
        let span = self.here().span.clone();
        let negative = self.eat('-');
        let (single, double) = (ty == "f32", ty == "f64");
        let sign = |bits: u64, top: u32| if negative { bits ^ 1 << top } else { bits };
        let bits = match *self.peek() {
            Token::Float32(bits) => sign(bits.into(), 31),
            Token::Float64(bits) if single => sign((f64::from_bits(bits) as f32).to_bits().into(), 31),
            Token::Float64(bits) => sign(bits, 63),
            Token::Integer(value) if single || double => {
                let value = if negative { -(value as f64) } else { value as f64 };
                if single { (value as f32).to_bits().into() } else { value.to_bits() }
            }
            Token::Integer(value) => {
                if negative {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
            Token::Word(_) => {
                self.next();
                let message = "initial values that are addresses are not supported";
                return Ok(Some(Problem::new(PtxErrorKind::Unsupported, span, message)));
            }
            _ => return self.expected("a number"),
        };
        self.next();
        data.extend(bits.to_le_bytes().into_iter().take(bytes));
        Ok(None)
    }

    /// A declaration that makes this kernel unusable; others of the file may do without.
    pub(super) fn unsupported(&mut self, problem: Problem, body: &mut Vec<Statement>) -> Parsed<()> {
        body.push(Statement::Unsupported(Unsupported(problem)));
        self.skip_past(';')
    }

    pub(super) fn registers(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        self.next();
        let (ty, place) = self.directive("a type such as `.b32` or `.pred`")?;
        if ty != "pred"
            && let Some(problem) = unsupported_type(&ty, place)
        {
            return self.unsupported(problem, body);
        }
        loop {
            let (name, span) = self.word("a register name")?;
            let count = if self.eat('<') {
                let count = self.unsigned("a number of registers")?;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            body.push(Statement::Registers { ty: ty.clone(), name, count, span });
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(());
            }
        }
    }
}

/// A type that PTX may have and we do not.
fn unsupported_type(word: &str, span: Span) -> Option<Problem> {
    if matches!(word, "v2" | "v4") {
        let message = format!("registers and parameters with `.{word}` are not supported");
        return Some(Problem::new(PtxErrorKind::Unsupported, span, message));
    }
    type_bytes(word).is_none().then(|| unknown_type(word, span))
}

fn unknown_type(word: &str, span: Span) -> Problem {
    Problem::new(PtxErrorKind::Syntax, span, format!("`.{word}` is not a type that this compiler knows"))
        .help("types: .pred, .b8 .u8 .s8, .b16 .u16 .s16 .f16, .b32 .u32 .s32 .f32, .b64 .u64 .s64 .f64")
}
