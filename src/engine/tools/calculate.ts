const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  max: Math.max,
  min: Math.min,
  round: Math.round,
  sqrt: Math.sqrt,
}

const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E }

const token = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z][A-Za-z0-9]*)|([-+*/%^(),]))/y

const maxLength = 1000
const maxDepth = 50

/** Why an expression has no value. */
export class CalculationError extends Error {
  override readonly name = 'CalculationError'
}

/**
 * The value of an arithmetic expression: numbers, `+ - * / % ^`, parentheses, functions and the constants `pi` and `e`. Linear in the length
 * of the expression. Throws a CalculationError.
 */
export function calculate(expression: string): number {
  if (expression.length > maxLength)
    throw new CalculationError(`The expression has more than ${maxLength} characters.`)
  const tokens = tokensOf(expression)
  let at = 0
  let depth = 0
  const peek = () => tokens[at]

  function take(wanted: string): void {
    if (peek() !== wanted) throw new CalculationError(`Expected "${wanted}", found "${peek() ?? 'the end'}".`)
    at += 1
  }

  function sum(): number {
    let value = product()
    for (let sign = peek(); sign === '+' || sign === '-'; sign = peek()) {
      at += 1
      const next = product()
      value = sign === '+' ? value + next : value - next
    }
    return value
  }

  function product(): number {
    let value = signed()
    for (let sign = peek(); sign === '*' || sign === '/' || sign === '%'; sign = peek()) {
      at += 1
      const next = signed()
      if (sign !== '*' && next === 0) throw new CalculationError('A number cannot be divided by zero.')
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next
    }
    return value
  }

  /** A sign binds less than a power: -2^2 is -4. */
  function signed(): number {
    depth += 1
    if (depth > maxDepth) throw new CalculationError(`The expression is nested more than ${maxDepth} deep.`)
    try {
      const sign = peek()
      if (sign !== '-' && sign !== '+') return power()
      at += 1
      return sign === '-' ? -signed() : signed()
    } finally {
      depth -= 1
    }
  }

  function power(): number {
    const base = operand()
    if (peek() !== '^') return base
    at += 1
    return base ** signed()
  }

  function operand(): number {
    const next = peek()
    if (next === undefined) throw new CalculationError('The expression ends too early.')
    at += 1
    if (next === '(') {
      const value = sum()
      take(')')
      return value
    }
    if (/^[\d.]/.test(next)) return Number(next)
    const apply = Object.hasOwn(functions, next) ? functions[next] : undefined
    if (apply !== undefined) return apply(...list())
    const constant = Object.hasOwn(constants, next) ? constants[next] : undefined
    if (constant === undefined) throw new CalculationError(`"${next}" is not expected here.`)
    return constant
  }

  function list(): number[] {
    take('(')
    const values = [sum()]
    while (peek() === ',') {
      at += 1
      values.push(sum())
    }
    take(')')
    return values
  }

  const value = sum()
  if (at < tokens.length) throw new CalculationError(`"${peek()}" is not expected here.`)
  if (!Number.isFinite(value)) throw new CalculationError('The result is not a finite number.')
  return value
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  const text = expression.trimEnd()
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const from = token.lastIndex
    const found = token.exec(text)
    if (found === null)
      throw new CalculationError(`"${text.slice(from, from + 10).trim()}" is not expected here.`)
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return tokens
}
