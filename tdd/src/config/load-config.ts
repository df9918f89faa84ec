import { readFileSync, statSync } from 'node:fs'
import { configFile, type Project } from '../project/locate.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { cacheFile } from '../state/state-files.ts'
import { defaultConfig, type LoadedConfig } from './config.ts'

/** Increased when the format of the cached configuration changes, which invalidates older caches. */
const cacheVersion = 2

interface CachedConfig extends LoadedConfig {
  readonly cacheVersion: number
  readonly mtimeMs: number
  readonly size: number
}

/** Parses a configuration. Its YAML parser is loaded only when the file has changed. */
export type ParseConfig = (text: string) => LoadedConfig

/** Reads the project's configuration, from its JSON cache while the file has the same time and size. */
export function loadConfig(project: Project, loadParser: () => ParseConfig): LoadedConfig {
  const file = `${project.root}/${configFile}`
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return { config: defaultConfig, problems: [] }
  const cached = readCache(project)
  if (cached?.mtimeMs === stat.mtimeMs && cached.size === stat.size) return cached
  const parsed = loadParser()(readFileSync(file, 'utf8'))
  const fresh: CachedConfig = { cacheVersion, mtimeMs: stat.mtimeMs, size: stat.size, ...parsed }
  try {
    writeFileAtomically(cacheFile(project, 'config.json'), JSON.stringify(fresh))
  } catch {
    // A read-only checkout reads the file each time.
  }
  return parsed
}

function readCache(project: Project): CachedConfig | undefined {
  try {
    const cached = JSON.parse(readFileSync(cacheFile(project, 'config.json'), 'utf8')) as CachedConfig
    return cached.cacheVersion === cacheVersion ? cached : undefined
  } catch {
    return undefined
  }
}
