import {
  Environment,
  type OverlayContext,
  type RootContext,
  type TypeDeclaration,
} from '@marcbachmann/cel-js'
import { dateFunctions } from './functions/dates.ts'
import { type FormatHandlers, formatFunctions } from './functions/formats.ts'
import { type Keyed, type ListMacro, listFunctions, listMacros } from './functions/lists.ts'
import { textFunctions } from './functions/texts.ts'
import { describeType, invalidValue } from './functions/values.ts'

/** Bounds of one expression; cel-js counts nodes and depth while it parses. */
export const maxExpressionLength = 4000
const maxNodes = 500
const maxDepth = 30

/** The language: CEL, with functions of our own and arithmetic over whole and decimal numbers. */
export function createEnvironment(formats: FormatHandlers): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: maxNodes,
      maxDepth,
      maxListElements: maxNodes,
      maxMapEntries: maxNodes,
      maxCallArguments: 10,
    },
  })
  addArithmetic(environment)
  for (const { signature, description, handler } of functionsOf(formats)) {
    environment.registerFunction({ signature, description, handler, async: false })
  }
  for (const macro of listMacros) addMacro(environment, macro)
  return environment
}

function functionsOf(formats: FormatHandlers) {
  return [...listFunctions, ...textFunctions, ...dateFunctions, ...formatFunctions(formats)]
}

/** CEL has no arithmetic over different types of numbers, but `price * 2` multiplies the double of JSON by an int. */
function addArithmetic(environment: Environment): void {
  const operations: readonly (readonly [string, (left: number, right: number) => number])[] = [
    ['+', (left, right) => left + right],
    ['-', (left, right) => left - right],
    ['*', (left, right) => left * right],
    ['/', (left, right) => left / right],
    ['%', (left, right) => left % right],
  ]
  for (const [operator, calculate] of operations) {
    const handler = (left: unknown, right: unknown) => calculate(Number(left), Number(right))
    environment.registerOperator(`int ${operator} double: double`, handler)
    environment.registerOperator(`double ${operator} int: double`, handler)
    if (operator === '%') environment.registerOperator('double % double: double', handler)
  }
}

/** The part of cel-js that macros use; its types do not describe it. */
interface MacroNode {
  readonly op: string
  readonly args: unknown
}
interface MacroCall {
  readonly args: readonly [MacroNode, MacroNode]
  readonly receiver: MacroNode
}
interface Checker {
  check(node: MacroNode, context: RootContext | OverlayContext): TypeDeclaration
  getType(name: string): TypeDeclaration
}
interface Evaluator {
  run(node: MacroNode, context: unknown): unknown
}
interface ReusedContext {
  reuse(context: unknown): { setIterValue(value: unknown, evaluator: Evaluator): unknown }
}
interface BoundMacro {
  inner?: ReusedContext
}

/** A method with a variable: `list.sort_by(x, x.name)` evaluates `x.name` once for each entry. */
function addMacro(environment: Environment, { name, returns, description, apply }: ListMacro): void {
  environment.registerFunction({
    signature: `list.${name}(ast, ast): ${returns}`,
    description,
    async: false,
    handler: ({ args: [variable, key], receiver }: MacroCall) => {
      const bound: BoundMacro = {}
      if (variable.op !== 'id')
        throw invalidValue(`${name}(variable, expression): the variable is not a name`)
      const variableName = variable.args as string
      return Object.assign(bound, {
        typeCheck(checker: Checker, _macro: unknown, context: RootContext | OverlayContext) {
          checker.check(receiver, context)
          bound.inner = context.forkWithVariable(
            variableName,
            checker.getType('dyn'),
          ) as unknown as ReusedContext
          checker.check(key, bound.inner as unknown as OverlayContext)
          return checker.getType(returns === 'list<dyn>' ? 'list' : returns)
        },
        evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): unknown {
          const list = evaluator.run(receiver, context)
          if (!Array.isArray(list)) throw invalidValue(`${name} needs a list, got ${describeType(list)}`)
          const inner = bound.inner?.reuse(context)
          const keyed: Keyed = list.map((entry: unknown) => [
            entry,
            evaluator.run(key, inner?.setIterValue(entry, evaluator)),
          ])
          return apply(keyed)
        },
      })
    },
  })
}
