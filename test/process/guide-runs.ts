import { expect } from 'vitest'
import { type Replacements, readGuide, runGuide } from '../support/guide.ts'
import { loopDelayLimitMs } from '../support/loop-delay-limit.ts'
import type { PlatformInProcess } from '../support/platform.ts'

/** A guide whose commands run against a platform of the tests. */
export interface Guide {
  readonly name: string
  /** What the commands print, among other lines. */
  readonly prints: readonly (string | RegExp)[]
  /** Called before the commands. */
  readonly replace?: () => Replacements | Promise<Replacements>
  /** Settings of the commands that differ from those of the platform. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called after the commands, with the folder of the reader. */
  readonly inspect?: (folder: string) => Promise<unknown>
}

/** TUTTI_SECRET of the platform and of the commands. */
export const secretOfGuides = 'a secret that only tests know, and long enough'

const portOf = (url: string) => new URL(url).port

/** Runs the commands as a reader on the machine of the platform does. */
export async function runOnPlatform(
  { name, prints, replace, settings, inspect }: Guide,
  platform: PlatformInProcess,
  replaceInAll: Replacements = {},
): Promise<void> {
  const ofGuide = await replace?.()
  const output = await runGuide({
    blocks: await readGuide(name),
    replace: {
      // First, since what it has instead may have to be replaced as well; and last, to win.
      ...ofGuide,
      ...replaceInAll,
      'http://127.0.0.1:3000': platform.url,
      'http://127.0.0.1:3001': platform.clusterUrl,
      'http://127.0.0.1:9090': platform.metricsUrl,
      'xxxxx-xxxxx-xxxxx-xxxxx': platform.admin.password,
      ...ofGuide,
    },
    settings: {
      DATABASE_URL: platform.database.url,
      PORT: portOf(platform.url),
      CLUSTER_PORT: portOf(platform.clusterUrl),
      METRICS_PORT: portOf(platform.metricsUrl),
      TUTTI_SECRET: secretOfGuides,
      TUTTI_LOOP_DELAY_LIMIT: `${loopDelayLimitMs}ms`,
      ...settings,
    },
    ...(inspect !== undefined && { inspect }),
  })
  const missing = prints.filter((part) =>
    typeof part === 'string' ? !output.includes(part) : !part.test(output),
  )
  expect(missing, output).toEqual([])
}
