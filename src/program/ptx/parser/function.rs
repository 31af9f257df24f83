//! Device functions: parameters, which are variables or registers, and bodies.

use super::*;

impl Parser<'_> {
    /// `(.param .u64 a, .reg .u32 b)`, and what of it we do not do.
    pub(super) fn params(&mut self) -> ParseResult<(Vec<Variable>, Option<Problem>)> {
        let (mut params, mut unsupported) = (Vec::new(), None);
        self.expect('(')?;
        if self.eat(')') {
            return Ok((params, None));
        }
        loop {
            let mut param = self.param()?;
            unsupported = unsupported.or(param.unsupported.take());
            params.push(param);
            if !self.eat(',') {
                self.expect(')')?;
                return Ok((params, unsupported));
            }
        }
    }

    /// The label before a list or a prototype, which is its name.
    fn own_label(&mut self, body: &mut Vec<Statement>) -> ParseResult<String> {
        match body.pop() {
            Some(Statement::Label(name, _)) => {
                self.next();
                Ok(name)
            }
            other => {
                body.extend(other);
                self.expected("a label before it")
            }
        }
    }

    /// `.callprototype (.param .b32 _) _ (.param .b64 _);` behind its label.
    pub(super) fn prototype(&mut self, body: &mut Vec<Statement>) -> ParseResult<()> {
        let name = self.own_label(body)?;
        let (mut results, mut params, mut unsupported) = (vec![], vec![], None);
        if self.is_mark('(') {
            (results, unsupported) = self.params()?;
        }
        self.word("`_`")?;
        if self.is_mark('(') {
            let (list, problem) = self.params()?;
            (params, unsupported) = (list, unsupported.or(problem));
        }
        if let Some(problem) = unsupported {
            return self.unsupported(problem, body);
        }
        // `.noreturn` and the like change nothing.
        self.skip_past(';')?;
        body.push(Statement::Prototype(Prototype { name, results, params }));
        Ok(())
    }

    /// `.calltargets f, g;` or `.branchtargets A, B;` behind its label.
    pub(super) fn targets(&mut self, body: &mut Vec<Statement>) -> ParseResult<()> {
        let name = self.own_label(body)?;
        let mut targets = vec![self.word("a name")?];
        while self.eat(',') {
            targets.push(self.word("a name")?);
        }
        self.expect(';')?;
        body.push(Statement::Targets(Targets { name, targets }));
        Ok(())
    }

    /// `(.param .b32 result) name (.param .b64 a) { ... }`, or without a body: declared only.
    pub(super) fn function(&mut self, module: &mut PtxModule) -> ParseResult<()> {
        let start = self.at;
        match self.try_function() {
            Ok(function) => module.functions.push(function),
            Err(problem) => {
                self.at = start;
                let name = loop {
                    match self.peek().clone() {
                        Token::Mark('(') => self.skip_past(')')?,
                        Token::Word(name) => break name,
                        Token::End | Token::Mark('{' | ';') => return Err(problem),
                        _ => {
                            self.next();
                        }
                    }
                };
                while !self.is_mark('{') && !self.is_mark(';') {
                    if self.next().token == Token::End {
                        return Err(problem);
                    }
                }
                if !self.eat(';') {
                    self.skip_braces().map_err(|_| problem.clone())?;
                }
                let unsupported = Some(problem);
                module.functions.push(PtxFunction { name, results: vec![], params: vec![], body: None, unsupported });
            }
        }
        Ok(())
    }

    fn try_function(&mut self) -> ParseResult<PtxFunction> {
        let (mut results, mut params, mut unsupported) = (vec![], vec![], None);
        if self.is_mark('(') {
            (results, unsupported) = self.params()?;
        }
        let (name, _) = self.word("the name of the function")?;
        if self.is_mark('(') {
            let (list, problem) = self.params()?;
            (params, unsupported) = (list, unsupported.or(problem));
        }
        while !self.is_mark('{') && !self.is_mark(';') {
            self.directive("`{` or `;`")?;
            while matches!(self.peek(), Token::Integer(_) | Token::Text | Token::Mark(',')) {
                self.next();
            }
        }
        if self.eat(';') {
            return Ok(PtxFunction { name, results, params, body: None, unsupported });
        }
        let (body, problem) = self.body()?;
        Ok(PtxFunction { name, results, params, body: Some(body), unsupported: unsupported.or(problem) })
    }
}
