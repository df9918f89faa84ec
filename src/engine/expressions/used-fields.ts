import type { ASTNode } from '@marcbachmann/cel-js'

/** The fields of a value that an expression reads; `all`: the whole value. */
export type UsedFields = ReadonlyMap<string, UsedFields> | 'all'

/** A path that an expression reads. */
export interface ExpressionPath {
  readonly segments: readonly string[]
  /** The expression tests whether it exists. */
  readonly mayBeMissing: boolean
}

interface Uses {
  /** By the name of the variable. */
  readonly fields: ReadonlyMap<string, UsedFields>
  readonly paths: readonly ExpressionPath[]
  /** Whether it has only operators and functions whose cost is that of reading their operands once. */
  readonly isSimple: boolean
  /** Names of types that it uses in place of a value: `string + "a"`, `map.size`. */
  readonly types: readonly { readonly name: string; readonly hasFields: boolean }[]
}

/** Names that are types of the language, also when a value of the execution has the same name. */
const typeNames = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
])

/** Methods whose first argument is the name of a variable. */
const binding = new Set([
  'all',
  'avg',
  'bind',
  'count_by',
  'exists',
  'exists_one',
  'filter',
  'group_by',
  'index_by',
  'map',
  'max',
  'min',
  'sort_by',
  'sum',
])

const simpleOperators = new Set<string>([
  'value',
  'id',
  '.',
  '.?',
  '[]',
  '[?]',
  'list',
  'map',
  '?:',
  '||',
  '&&',
  '!_',
  '-_',
  '!=',
  '==',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '<=',
  '>',
  '>=',
])

const simpleFunctions = new Set(['bool', 'ceil', 'double', 'floor', 'has', 'int', 'round', 'size', 'string'])

const simpleMethods = new Set([
  'contains',
  'endsWith',
  'first',
  'last',
  'lower',
  'orValue',
  'size',
  'startsWith',
  'trim',
  'upper',
])

/** Finds the variables of an expression and the fields it reads. `isConstant`: a name that is part of the language. */
export function findUses(ast: ASTNode, isConstant: (name: string) => boolean): Uses {
  const fields = new Map<string, MutableFields>()
  const paths: ExpressionPath[] = []
  const types: { readonly name: string; readonly hasFields: boolean }[] = []
  let isSimple = true

  function use(segments: readonly string[], mayBeMissing: boolean): void {
    paths.push({ segments, mayBeMissing })
    const [name = '', ...rest] = segments
    addUse(fields, name, rest)
  }

  function visit(node: ASTNode, bound: ReadonlySet<string>, tests: boolean): void {
    if (!simpleOperators.has(node.op) && !isSimpleCall(node)) isSimple = false
    const chain = chainOf(node)
    if (chain !== undefined) {
      for (const index of chain.indexes) visit(index, bound, tests)
      const [name = ''] = chain.segments
      if (!bound.has(name) && !isConstant(name)) use(chain.segments, tests || chain.mayBeMissing)
      if (!bound.has(name) && typeNames.has(name)) types.push({ name, hasFields: chain.segments.length > 1 })
      return
    }
    if (node.op === 'call' && node.args[0] === 'has') {
      for (const argument of node.args[1]) visit(argument, bound, true)
      return
    }
    if (node.op === 'rcall') {
      const [name, receiver, given] = node.args
      visit(receiver, bound, tests || name === 'orValue')
      const [variable, ...others] = given
      const binds = binding.has(name) && variable?.op === 'id' && others.length > 0
      const inner = binds ? new Set([...bound, variable.args]) : bound
      for (const argument of binds ? others : given) visit(argument, inner, tests)
      return
    }
    for (const child of childrenOf(node)) visit(child, bound, tests)
  }

  visit(ast, new Set(), false)
  return { fields, paths, isSimple, types }
}

type MutableFields = Map<string, MutableFields> | 'all'

function addUse(fields: Map<string, MutableFields>, name: string, rest: readonly string[]): void {
  const known = fields.get(name)
  if (known === 'all') return
  const [next, ...others] = rest
  if (next === undefined) {
    fields.set(name, 'all')
    return
  }
  const inner = known ?? new Map<string, MutableFields>()
  fields.set(name, inner)
  addUse(inner, next, others)
}

interface Chain {
  readonly segments: readonly string[]
  /** Whether an index ended the path. */
  readonly isClosed: boolean
  /** Expressions in brackets, which are not part of the path. */
  readonly indexes: readonly ASTNode[]
  readonly mayBeMissing: boolean
}

/** A variable with the fields selected from it: `a.b["c"]`. An index that is no text ends the path: `a.b[0].c` reads all of `a.b`. */
function chainOf(node: ASTNode): Chain | undefined {
  if (node.op === 'id') return { segments: [node.args], isClosed: false, indexes: [], mayBeMissing: false }
  if (node.op === '.' || node.op === '.?') {
    const [owner, name] = node.args
    return extend(chainOf(owner), name, node.op === '.?')
  }
  if (node.op !== '[]' && node.op !== '[?]') return undefined
  const [owner, index] = node.args
  const chain = chainOf(owner)
  const mayBeMissing = node.op === '[?]'
  if (index.op === 'value' && typeof index.args === 'string') return extend(chain, index.args, mayBeMissing)
  if (chain === undefined) return undefined
  return {
    ...chain,
    isClosed: true,
    indexes: [...chain.indexes, index],
    mayBeMissing: chain.mayBeMissing || mayBeMissing,
  }
}

function extend(chain: Chain | undefined, name: string, mayBeMissing: boolean): Chain | undefined {
  if (chain === undefined) return undefined
  return {
    ...chain,
    segments: chain.isClosed ? chain.segments : [...chain.segments, name],
    mayBeMissing: chain.mayBeMissing || mayBeMissing,
  }
}

function isSimpleCall(node: ASTNode): boolean {
  if (node.op === 'call') return simpleFunctions.has(node.args[0])
  return node.op === 'rcall' && simpleMethods.has(node.args[0]) && node.args[2].length < 2
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    case '.':
    case '.?':
      return [node.args[0]]
    case '!_':
    case '-_':
      return [node.args]
    default:
      return node.args
  }
}
