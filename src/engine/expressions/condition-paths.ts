import type { Test } from '../definition/common-step.ts'
import { compile } from './compile.ts'
import { leavesOf, readTest } from './conditions.ts'
import { splitPath } from './paths.ts'

interface ConditionPath {
  readonly segments: readonly string[]
  /** The place of the comparison or expression that reads it. */
  readonly at: string
}

/** The paths that a checked condition reads, in comparisons and in expressions. Never throws. */
export function pathsOfCondition(condition: Test, place: string): readonly ConditionPath[] {
  return leavesOf(readTest(condition), place).flatMap(({ leaf, at }): ConditionPath[] => {
    if (leaf.kind === 'comparison')
      return [{ segments: splitPath(leaf.comparison.field) ?? [], at: `${at}.field` }]
    const compiled = compile(leaf.source)
    if (compiled.kind === 'invalid') return []
    return compiled.expression.paths.map(({ segments }) => ({ segments, at: `${at}.expression` }))
  })
}
