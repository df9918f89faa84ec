import type { Command } from 'commander'

/** Errors in a command of this group point to the help of that command. */
export function pointToHelp(group: Command): void {
  group.showHelpAfterError(`Run npx tutti ${group.name()} --help to see what there is.`)
  for (const command of group.commands) {
    command.showHelpAfterError(`Run npx tutti ${group.name()} ${command.name()} --help to see how.`)
  }
}

/** Parses an option that may be repeated and may list several names, separated by commas. */
export function collectNames(text: string, before: readonly string[] = []): readonly string[] {
  const given = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return [...new Set([...before, ...given])]
}

/** Parses an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
