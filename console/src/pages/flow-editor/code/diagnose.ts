import type { Diagnostic } from '@codemirror/lint'
import type { FlowProblem } from '../problems/problem.ts'
import { unreadableCode } from '../problems/validation.ts'
import { type Code, findPlace } from './json-tree.ts'
import type { CodeMistake } from './read-code.ts'

/** The diagnostics of the code: its syntax error, and the server's problems of the last valid flow. */
export function diagnose(
  code: Code,
  problems: readonly FlowProblem[],
  mistake: CodeMistake | null,
): readonly Diagnostic[] {
  const marks = problems
    // What is said about metadata is nowhere in the code.
    .filter(({ path, code: name }) => name !== unreadableCode && !/^metadata\b/.test(path))
    .map(({ severity, path, message }) => ({
      ...findPlace(code, path),
      severity,
      message: path === '' ? message : `${path} ${message}`,
    }))
  const own = mistake === null ? [] : [{ ...mistake, severity: 'error' as const }]
  return [...own, ...marks].toSorted((left, right) => left.from - right.from)
}
