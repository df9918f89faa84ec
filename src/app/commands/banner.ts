import { version } from '../version.ts'

export interface BannerOptions {
  /** What runs, such as `Tutti` or `Tutti cluster`. */
  readonly name: string
  /** Rows without a value are left out. */
  readonly rows: readonly (readonly [label: string, value: string | undefined])[]
}

/** What a person wants to know once it runs: where to go. */
export function writeBanner({ name, rows }: BannerOptions): string {
  return [
    '',
    `  ${name} ${version} is ready after ${(performance.now() / 1000).toFixed(1)} s`,
    '',
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(15)}${value}`])),
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
