//! Declarations: parameters, variables, registers, and the types that they have.

use super::*;

impl Parser<'_> {
    pub(super) fn param(&mut self) -> ParseResult<Variable> {
        let (word, span) = self.directive("`.param`")?;
        let space = StateSpace::named(&word).filter(|space| matches!(space, StateSpace::Param | StateSpace::Reg));
        let Some(space) = space else {
            return Err(Problem::new(PtxErrorKind::Syntax, span, format!("expected `.param`, found `.{word}`")));
        };
        let (mut ty, mut align, mut unsupported, mut lanes) = (None, None, None, 1);
        // `.u64 .ptr .global .align 4`: type, then what the pointer points to.
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => {
                    let value = self.alignment()?;
                    align = align.or(ty.is_none().then_some(value));
                }
                "ptr" | "global" | "shared" | "const" | "local" => {}
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                _ if ty.is_none() => {
                    let own = match (space, ScalarType::named(&word)) {
                        (StateSpace::Reg, Some(scalar)) => DeclaredType::Scalar(scalar),
                        _ => DeclaredType::named(&word),
                    };
                    unsupported = unsupported.or_else(|| own.scalar().is_none().then(|| unknown_type(&word, span)));
                    ty = Some(own);
                }
                _ => return Err(unknown_type(&word, span)),
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.u32`") };
        let (name, span) = self.word("the name of the parameter")?;
        let elements = self.array_size()?.saturating_mul(lanes);
        let align = align.unwrap_or(alignment(ty, lanes));
        Ok(Variable { space, ty, name, align, elements, initial: vec![], pointers: vec![], span, unsupported })
    }

    fn alignment(&mut self) -> ParseResult<u64> {
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
    fn array_size(&mut self) -> ParseResult<u64> {
        let mut elements = 1u64;
        while self.eat('[') {
            let span = self.here().span.clone();
            let count = if self.is_mark(']') { 0 } else { self.constant()? };
            self.expect(']')?;
            let Ok(count) = u64::try_from(count) else {
                return Err(Problem::new(PtxErrorKind::Syntax, span, "a negative number of elements"));
            };
            elements = elements
                .checked_mul(count)
                .ok_or_else(|| Problem::new(PtxErrorKind::Syntax, span, "array larger than 64 bits can count"))?;
        }
        Ok(elements)
    }

    /// `.shared .align 4 .b8 name[1024], other;`
    pub(super) fn variables(&mut self) -> ParseResult<Vec<Variable>> {
        let (word, span) = self.directive("a state space")?;
        let Some(space) = StateSpace::named(&word) else {
            return Err(Problem::new(PtxErrorKind::Syntax, span, format!("expected a state space, found `.{word}`")));
        };
        let (mut ty, mut align, mut unsupported, mut lanes) = (None, None, None, 1);
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => align = Some(self.alignment()?),
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                // `.managed`, `.unified`: all memory is where the host and all cores see it.
                "attribute" => {
                    if self.eat('(') {
                        self.skip_past(')')?;
                    }
                }
                _ => {
                    let own = DeclaredType::named(&word);
                    unsupported = unsupported.or(unsupported_type(own, &word, span));
                    ty = Some(own);
                }
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.b32`") };
        let mut out = Vec::new();
        loop {
            let (name, span) = self.word("the name of the variable")?;
            let elements = self.array_size()?.saturating_mul(lanes);
            let align = align.unwrap_or(alignment(ty, lanes));
            let mut unsupported = unsupported.clone();
            let (mut initial, mut pointers) = (vec![], vec![]);
            if self.eat('=') {
                match (space, ty.scalar()) {
                    (StateSpace::Const | StateSpace::Global, Some(scalar)) => {
                        let problem = self.initial(scalar, &mut initial, &mut pointers, 64)?;
                        unsupported = unsupported.or(problem);
                    }
                    _ => {
                        self.skip_past(';')?;
                        out.push(Variable { space, ty, name, align, elements, initial, pointers, span, unsupported });
                        return Ok(out);
                    }
                }
            }
            out.push(Variable { space, ty, name, align, elements, initial, pointers, span, unsupported });
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(out);
            }
        }
    }

    /// `5`, `{1, 2}`, `{{0f3F800000, 1.0}, {2.0}}`: appends the bytes of each value; tells of one that is not a number.
    fn initial(
        &mut self,
        ty: ScalarType,
        data: &mut Vec<u8>,
        pointers: &mut Vec<Pointer>,
        depth: u32,
    ) -> ParseResult<Option<Problem>> {
        if self.is_mark('{') && depth == 0 {
            return self.expected("a number: the values are nested too deep");
        }
        if self.eat('{') {
            let mut problem = None;
            while !self.is_mark('}') {
                problem = problem.or(self.initial(ty, data, pointers, depth - 1)?);
                if !self.eat(',') {
                    break;
                }
            }
            self.expect('}')?;
            return Ok(problem);
        }
        let span = self.here().span.clone();
        let negative = self.eat('-');
        let (single, double, bytes) = (ty == ScalarType::F32, ty == ScalarType::F64, ty.bytes() as usize);
        let sign = |bits: u64, top: u32| if negative { bits ^ 1 << top } else { bits };
        let bits = match *self.peek() {
            Token::Float32(bits) => sign(bits.into(), 31),
            Token::Float64(bits) if single => sign((f64::from_bits(bits) as f32).to_bits().into(), 31),
            Token::Float64(bits) => sign(bits, 63),
            Token::Integer(value) if single || double => {
                let value = if negative { -(value as f64) } else { value as f64 };
                if single { (value as f32).to_bits().into() } else { value.to_bits() }
            }
            Token::Word(_) if !negative => {
                let (mut name, _) = self.word("a name")?;
                let generic = name == "generic" && self.eat('(');
                if generic {
                    name = self.word("a name")?.0;
                    self.expect(')')?;
                }
                let addend = self.offset()?;
                if bytes < 4 {
                    let message = "initial values that are addresses need 32 or 64 bits";
                    return Ok(Some(Problem::new(PtxErrorKind::Type, span, message)));
                }
                pointers.push(Pointer { at: data.len(), bytes, name, addend, generic, span });
                data.extend(std::iter::repeat_n(0, bytes));
                return Ok(None);
            }
            _ => {
                let value = self.constant()?;
                let value = if negative { value.wrapping_neg() } else { value };
                data.extend(value.to_le_bytes().into_iter().take(bytes));
                return Ok(None);
            }
        };
        self.next();
        data.extend(bits.to_le_bytes().into_iter().take(bytes));
        Ok(None)
    }

    /// A declaration that makes this kernel unusable; others of the file may do without.
    pub(super) fn unsupported(&mut self, problem: Problem, body: &mut Vec<Statement>) -> ParseResult<()> {
        body.push(Statement::Unsupported(Unsupported(problem)));
        self.skip_past(';')
    }

    pub(super) fn registers(&mut self, body: &mut Vec<Statement>) -> ParseResult<()> {
        self.next();
        let (mut word, mut place) = self.directive("a type such as `.b32` or `.pred`")?;
        const ELEMENTS: [&str; 4] = [".x", ".y", ".z", ".w"];
        let elements: &[&'static str] = match word.as_str() {
            "v2" => &ELEMENTS[..2],
            "v4" => &ELEMENTS,
            _ => &[""],
        };
        if elements.len() > 1 {
            (word, place) = self.directive("a type such as `.b32`")?;
        }
        let Some(ty) = ScalarType::named(&word) else {
            return self.unsupported(unknown_type(&word, place), body);
        };
        loop {
            let (name, span) = self.word("a register name")?;
            let count = if self.eat('<') {
                let count = self.unsigned("a number of registers")?;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            for &element in elements {
                let (name, span) = (name.clone(), span.clone());
                body.push(Statement::Registers { ty, name, count, element, span });
            }
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(());
            }
        }
    }
}

impl Variable {
    /// Declared only: it is in another file, and who uses it is told so.
    pub(super) fn elsewhere(mut self) -> Self {
        let message = format!("variable `{}` is declared only: the file does not have it", self.name);
        let problem = Problem::new(PtxErrorKind::Unsupported, self.span.clone(), message);
        self.unsupported = self.unsupported.or(Some(problem.help("give the compiler the whole program")));
        self
    }
}

/// Of one element, or of a vector of so many.
fn alignment(ty: DeclaredType, lanes: u64) -> u64 {
    ty.scalar().map_or(1, |scalar| u64::from(scalar.bytes()) * lanes)
}

/// A type that PTX may have and we do not.
fn unsupported_type(ty: DeclaredType, word: &str, span: Span) -> Option<Problem> {
    (ty == DeclaredType::Unknown).then(|| unknown_type(word, span))
}

fn unknown_type(word: &str, span: Span) -> Problem {
    Problem::new(PtxErrorKind::Syntax, span, format!("`.{word}` is not a type that this compiler knows")).help(
        "types: .pred, .b8 .u8 .s8, .b16 .u16 .s16 .f16 .bf16, .b32 .u32 .s32 .f32 .f16x2 .bf16x2, .b64 .u64 .s64 .f64",
    )
}
