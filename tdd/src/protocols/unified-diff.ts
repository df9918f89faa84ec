import type { Write } from './protocol.ts'

/** The files of a unified diff, as `diff`, git and mails with patches have it. `strip` turns a name in it into a path. */
export function writesOfDiff(diff: string, strip: (name: string) => string | undefined): Write[] {
  const writes = new Map<string, Write>()
  const add = (path: string | undefined, kind: Write['kind']): void => {
    if (path !== undefined && path !== '') writes.set(path, { path, kind, text: diff })
  }
  let before: string | undefined
  for (const line of diff.split('\n')) {
    const [, header, rest = ''] =
      /^(diff --git|---|\+\+\+|rename from|rename to|copy to) (.*)$/.exec(line) ?? []
    const name = nameIn(rest)
    // git counts the folders of these names without the `a/` that diffs put in front.
    if (header === 'rename from') add(name, 'delete')
    else if (header === 'rename to' || header === 'copy to') add(name, 'write')
    // Without lines, as for an empty or a binary file, only this header names the file; names with spaces are left to the others.
    else if (header === 'diff --git') add(strip(/^\S+ (\S+)$/.exec(rest)?.[1] ?? ''), 'write')
    else if (header === '+++' && before !== undefined)
      add(strip(name === '/dev/null' ? before : name), name === '/dev/null' ? 'delete' : 'write')
    before = header === '---' ? name : undefined
  }
  return [...writes.values()]
}

/** What follows a tab is a time; a name in quotes has its odd characters as C has them. */
function nameIn(text: string): string {
  const name = text.replace(/[\t\r].*$/, '').trimEnd()
  if (!name.startsWith('"')) return name
  const bytes = name
    .slice(1, name.lastIndexOf('"'))
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(["\\])/g, '$1')
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Leaves out the first folders of a name; undefined when it has no more than those. */
export function withoutFolders(name: string, count: number): string | undefined {
  const steps = name.split(/\/+/)
  return steps.length > count ? steps.slice(count).join('/') : undefined
}
