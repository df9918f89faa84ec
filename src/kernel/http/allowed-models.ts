import type { KeyLimits } from './access.ts'

/** A model by the names that a list of allowed models may use. */
export interface NamedModel {
  readonly provider: string
  readonly id: string
}

interface Rules {
  readonly names: ReadonlySet<string>
  readonly patterns: readonly string[]
}

/** The principal of a key is cached, so its list is compiled once. */
const compiled = new WeakMap<readonly string[], Rules>()

/**
 * Whether a key with these limits may call a model. A rule is an id, `provider/id`, or a pattern of either with `*` for any characters. A
 * rule without a tag also allows the tag `latest` of a model of a node. `openai/*` also allows models of other providers whose id starts
 * with `openai/`; ids may contain slashes. Case does not matter. Does not throw.
 */
export function isModelAllowed(limits: KeyLimits | undefined, { provider, id }: NamedModel): boolean {
  if (limits?.models === undefined) return true
  const { names, patterns } = rulesOf(limits.models)
  const lower = id.toLowerCase()
  const latest = provider === 'ollama' && lower.endsWith(':latest') ? [lower.slice(0, -':latest'.length)] : []
  const spellings = [lower, ...latest].flatMap((name) => [name, `${provider}/${name}`])
  return spellings.some(
    (name) => names.has(name) || patterns.some((pattern) => matchesPattern(name, pattern)),
  )
}

function rulesOf(models: readonly string[]): Rules {
  const known = compiled.get(models)
  if (known !== undefined) return known
  const lower = models.map((rule) => rule.toLowerCase())
  const rules = {
    names: new Set(lower.filter((rule) => !rule.includes('*'))),
    patterns: lower.filter((rule) => rule.includes('*')),
  }
  compiled.set(models, rules)
  return rules
}

/**
 * Compares a name with a pattern, in which `*` stands for any characters. Only the last `*` is tried again after a mismatch, so the time
 * is at most the product of both lengths; a regular expression with several `*` could take exponentially longer.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  let [inName, inPattern] = [0, 0]
  let star = -1
  let retryAt = 0
  while (inName < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern
      retryAt = inName
      inPattern += 1
    } else if (pattern[inPattern] === name[inName]) {
      inName += 1
      inPattern += 1
    } else if (star >= 0) {
      retryAt += 1
      inName = retryAt
      inPattern = star + 1
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern += 1
  return inPattern === pattern.length
}
