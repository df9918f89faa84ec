import type { Problem } from '#kernel/errors'
import { splitPath } from '../../expressions/paths.ts'
import { inValue } from './used-paths.ts'

/** A secret or connection that a step names. */
export interface UsedSecret {
  readonly part: 'secret' | 'connection'
  readonly name: string
  /** The field that names it. */
  readonly at: string
}

const nameRule = /^[a-z][a-z0-9_]{0,63}$/

/** Whether a path begins with `secrets`, which only HTTP calls may use. */
export function isSecretPath(path: string): boolean {
  return splitPath(path)?.[0] === 'secrets'
}

/** The secrets in the placeholders of a value. */
export function secretsIn(value: unknown, at: string): UsedSecret[] {
  return inValue(value, at).flatMap((used) => {
    const [first, name] = splitPath(used.path) ?? []
    return first === 'secrets' && name !== undefined ? [{ part: 'secret' as const, name, at: used.at }] : []
  })
}

/** Finds placeholders such as `{{secrets.a.b}}`, which are not the name of a secret. */
export function checkSecretNames(value: unknown, place: string): Problem[] {
  return inValue(value, place).flatMap(({ path, at }) => {
    const [first, name = '', ...rest] = splitPath(path) ?? []
    return first !== 'secrets' || (rest.length === 0 && nameRule.test(name))
      ? []
      : [{ path: at, message: `"{{${path}}}" is not a secret such as {{secrets.api_key}}`, code: 'path' }]
  })
}

/** How a secret is shown in place of its value. */
export function secretMark(name: string): string {
  return `[secret ${name}]`
}
