import { version } from '../version.ts'

export interface BannerOptions {
  /** What runs, such as `Tutti` or `Tutti cluster`. */
  readonly name: string
  /** Rows without a value are left out. */
  readonly rows: readonly (readonly [label: string, value: string | undefined])[]
  /** What must not be missed, after the rows. */
  readonly notice?: string | undefined
}

/** What a person wants to know once it runs: where to go, and how to get in the first time. */
export function writeBanner({ name, rows, notice }: BannerOptions): string {
  return [
    '',
    `  ${name} ${version} is ready after ${(performance.now() / 1000).toFixed(1)} s`,
    '',
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(15)}${value}`])),
    ...(notice === undefined ? [] : ['', `  ${notice}`]),
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
