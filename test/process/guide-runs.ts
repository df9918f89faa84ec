import { expect } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
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
  readonly env?: Readonly<Record<string, string>>
  /** Files that the reader has, by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** Called after the commands, with the folder of the reader. */
  readonly inspect?: (folder: string) => Promise<unknown>
}

/** TUTTI_SECRET of the platform and of the commands. */
export const secretOfGuides = 'a secret that only tests know, and long enough'

const portOf = (url: string) => new URL(url).port

/** Runs the commands as a reader on the machine of the platform does, with the key of an administrator. */
export async function runOnPlatform(
  { name, prints, replace, env, files, inspect }: Guide,
  platform: PlatformInProcess,
  replaceInAll: Replacements = {},
): Promise<void> {
  const { key } = await addAccountWithKey(platform.database, { roles: ['administrator'] })
  const output = await runGuide({
    blocks: await readGuide(name),
    replace: {
      'http://127.0.0.1:3000': platform.url,
      'http://127.0.0.1:3001': platform.clusterUrl,
      'http://127.0.0.1:9090': platform.metricsUrl,
      'xxxxx-xxxxx-xxxxx-xxxxx': platform.admin.password,
      ...replaceInAll,
      ...(await replace?.()),
    },
    env: {
      DATABASE_URL: platform.database.url,
      PORT: portOf(platform.url),
      CLUSTER_PORT: portOf(platform.clusterUrl),
      METRICS_PORT: portOf(platform.metricsUrl),
      TUTTI_SECRET: secretOfGuides,
      TUTTI_LOOP_DELAY_LIMIT: `${loopDelayLimitMs}ms`,
      TUTTI_URL: platform.url,
      TUTTI_API_KEY: key,
      ...env,
    },
    ...(files !== undefined && { files }),
    ...(inspect !== undefined && { inspect }),
  })
  const missing = prints.filter((part) =>
    typeof part === 'string' ? !output.includes(part) : !part.test(output),
  )
  expect(missing, output).toEqual([])
}
