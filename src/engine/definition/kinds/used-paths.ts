import { leavesOf, readTest } from '../../expressions/conditions.ts'
import { pathsInExpression, pathsOf, placeholdersIn } from '../../expressions/templates.ts'
import type { Test } from '../common-step.ts'

/** A path that a step reads. */
export interface UsedPath {
  readonly path: string
  /** The field that uses it. */
  readonly at: string
  /** It may be missing: a condition on a missing field is false. */
  readonly mayBeMissing?: true
  /** It is read after the step's own response, and may be part of it. */
  readonly afterAnswer?: true
}

/** The paths of the placeholders in a text. */
export function inText(text: string | undefined, at: string): UsedPath[] {
  return placeholdersIn(text ?? '')
    .flatMap(pathsOf)
    .map((used) => usedAt(used, at))
}

/** The paths that an expression reads, without variables that its place defines. */
export function inExpression(
  source: string | undefined,
  at: string,
  given: readonly string[] = [],
): UsedPath[] {
  return pathsInExpression(source ?? '')
    .filter(({ path }) => !given.includes(/^[^.]+/.exec(path)?.[0] ?? path))
    .map((used) => usedAt(used, at))
}

function usedAt({ path, mayBeMissing }: { path: string; mayBeMissing: boolean }, at: string): UsedPath {
  return mayBeMissing ? { path, at, mayBeMissing } : { path, at }
}

/** The paths inside a value, each with its position. */
export function inValue(value: unknown, at: string): UsedPath[] {
  if (typeof value === 'string') return inText(value, at)
  if (value === null || typeof value !== 'object') return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) =>
    inValue(inner, isList ? `${at}[${key}]` : `${at}.${key}`),
  )
}

/** The paths of a condition. They may be missing: the condition is false then. */
export function inCondition(condition: string | Test, at: string): UsedPath[] {
  return leavesOf(readTest(condition), at).flatMap(({ leaf, at: place }): UsedPath[] =>
    leaf.kind === 'comparison'
      ? [{ path: leaf.comparison.field, at: `${place}.field`, mayBeMissing: true }]
      : inExpression(leaf.source, `${place}.expression`).map((used) => ({ ...used, mayBeMissing: true })),
  )
}
