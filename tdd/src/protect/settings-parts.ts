import { isDeepStrictEqual } from 'node:util'

/**
 * The parts of a settings file that decide whether hooks run. The rest belongs to the user and the assistant: Claude Code
 * stores "do not ask again" while a command waits for its permission.
 */

type Json = { readonly [name: string]: unknown }

/** How the parts of a file are read: the whole file, keys of a JSON object, lines of TOML, or keys of a git configuration. */
export type Format = 'whole' | 'json' | 'toml' | 'git'

interface Parts {
  /** The parts as text, to compare. */
  read(content: string): string
  /** The current content with the parts of the earlier one. */
  merge(earlier: string, current: string): string
}

const partsOf: Readonly<Record<Format, Parts>> = {
  whole: { read: (content) => content, merge: (earlier) => earlier },
  json: {
    read: (content) => {
      const value = parse(content)
      return value === undefined ? content : JSON.stringify(hookKeys(value))
    },
    merge: (earlier, current) => {
      const [before, now] = [parse(earlier), parse(current)]
      if (before === undefined || now === undefined) return earlier
      const merged = withHookKeys(before, now)
      if (isDeepStrictEqual(merged, before)) return earlier
      return Object.keys(merged).length === 0 ? '' : `${JSON.stringify(merged, null, 2)}\n`
    },
  },
  toml: {
    read: (content) => linesWith(content, /hook/i).join('\n'),
    merge: (earlier, current) => {
      const kept = current.split('\n').filter((line) => !/hook/i.test(line))
      // The place of a line decides its section, so lines that belong elsewhere cannot be put back one by one.
      return linesWith(earlier, /hook/i).length === 0 ? kept.join('\n') : earlier
    },
  },
  git: {
    read: (content) => textOfEntries(hookEntries(content)),
    merge: (earlier, current) => {
      if (textOfEntries(otherEntries(earlier)) === textOfEntries(otherEntries(current))) return earlier
      const lifting = new Set(hookEntries(current).map(({ at }) => at))
      const rest = current.split('\n').filter((_, at) => !lifting.has(at))
      const again = hookEntries(earlier).map(({ section, line }) => `[${section}]\n${line}\n`)
      return `${rest.join('\n').replace(/\n*$/, '\n')}${again.join('')}`
    },
  },
}

/** The parts of a file that decide about hooks; undefined content is a missing file. */
export function hookParts(format: Format, content: string | undefined): string {
  if (content === undefined) return format === 'json' ? '{}' : ''
  return partsOf[format].read(content)
}

/** The content with which the hooks run as before; empty when nothing would be left. */
export function withHookParts(
  format: Format,
  earlier: string | undefined,
  current: string | undefined,
): string {
  if (current === undefined) return earlier ?? ''
  return partsOf[format].merge(earlier ?? '', current)
}

/** `env` can replace the programs that a hook starts. */
const hookKey = /hook|^env$/i

function hookKeys(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .flatMap(([name, inner]): [string, unknown][] => {
        if (hookKey.test(name)) return [[name, inner]]
        const found = isObject(inner) ? hookKeys(inner) : {}
        return Object.keys(found).length > 0 ? [[name, found]] : []
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function withHookKeys(earlier: Json, current: Json): Json {
  const names = [...new Set([...Object.keys(current), ...Object.keys(earlier)])]
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const [before, now] = [earlier[name], current[name]]
      if (hookKey.test(name)) return before === undefined ? [] : [[name, before]]
      if (isObject(before) || isObject(now)) {
        if (now !== undefined && !isObject(now)) return [[name, now]]
        const inner = withHookKeys(isObject(before) ? hookKeys(before) : {}, isObject(now) ? now : {})
        return Object.keys(inner).length > 0 || (isObject(now) && Object.keys(now).length === 0)
          ? [[name, inner]]
          : []
      }
      return now === undefined ? [] : [[name, now]]
    }),
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON object; undefined for any other text. Comments are refused, as by most assistants. */
function parse(content: string): Json | undefined {
  if (content.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(content.replace(/^(?:\uFEFF|\u00ef\u00bb\u00bf)/, ''))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function linesWith(content: string, pattern: RegExp): string[] {
  return content.split('\n').filter((line) => pattern.test(line))
}

const hookEntry = /^(?:core\.hookspath|include\.path|includeif\..*\.path|hook\..*)$/i

interface GitEntry {
  readonly section: string
  readonly line: string
  /** The number of the line. */
  readonly at: number
}

/** The lines of a git configuration that decide which hooks run, or that include another file. */
function hookEntries(content: string): GitEntry[] {
  return gitEntries(content).filter(isHookEntry)
}

function otherEntries(content: string): GitEntry[] {
  return gitEntries(content).filter((entry) => !isHookEntry(entry))
}

function gitEntries(content: string): GitEntry[] {
  let section = ''
  return content.split('\n').flatMap((line, at) => {
    const header = /^\s*\[\s*([^\]"\s]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (header !== null) section = header[2] === undefined ? (header[1] ?? '') : `${header[1]} "${header[2]}"`
    const rest = header === null ? line : line.slice(header[0].length)
    return rest.trim() === '' ? [] : [{ section, line: rest, at }]
  })
}

function isHookEntry({ section, line }: GitEntry): boolean {
  const name = /^\s*([A-Za-z][\w-]*)\s*(?:=|$)/.exec(line)?.[1]
  return name !== undefined && hookEntry.test(`${section.replace(/\s+"(.*)"$/, '.$1')}.${name}`)
}

function textOfEntries(entries: readonly GitEntry[]): string {
  return entries.map(({ section, line }) => `[${section}] ${line.trim()}`).join('\n')
}

/** Whether two git configurations are the same but for `core.hooksPath`. */
export function onlyHooksPathDiffers(one: string, other: string): boolean {
  const [rest, otherRest] = [one, other].map((content) =>
    textOfEntries(hookEntries(content).filter((entry) => !isHooksPath(entry))),
  )
  return rest === otherRest
}

function isHooksPath({ section, line }: GitEntry): boolean {
  return /^core$/i.test(section) && /^\s*hookspath/i.test(line)
}

/** The folder of `core.hooksPath`, if the configuration has one. */
export function hooksPathIn(content: string): string | undefined {
  const entry = hookEntries(content).findLast(isHooksPath)
  const value = /=\s*"?([^"\n]*?)"?\s*$/.exec(entry?.line ?? '')?.[1]
  return value === undefined || value === '' ? undefined : value
}
