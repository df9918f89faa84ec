/**
 * `npm run generate` writes the files that are generated from the code: the console's API types, the flow schema of its editor, and the
 * reference pages. With `--check` it writes nothing and fails when a file is outdated.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenApiDocument } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { createPlatform } from '../src/app/platform.ts'
import { readPlatformSettings, settingsByPart } from '../src/app/settings.ts'
import { generateClientTypes } from './generate-client.ts'
import { generateFlowSchema } from './generate-flow-schema.ts'
import { writeConfigurationPage } from './write-configuration-page.ts'
import { writeRoutesPage } from './write-routes-page.ts'

const checkOnly = process.argv.includes('--check')
const document = await describePlatform()
const files: Readonly<Record<string, string>> = {
  'console/src/api/schema.generated.ts': await generateClientTypes(document),
  'console/src/pages/flow-editor/form/flow-schema.generated.json': generateFlowSchema(document),
  'docs/reference/configuration.md': writeConfigurationPage(settingsByPart),
  'docs/reference/routes.md': writeRoutesPage(document),
}

for (const [path, text] of Object.entries(files)) {
  const present = await readFile(path, 'utf8').catch(() => '')
  if (present === text) continue
  if (checkOnly) {
    console.error(`${path} is not what the code says; run: npm run generate`)
    process.exitCode = 1
  } else {
    await writeFile(path, text)
    console.log(`wrote ${path}`)
  }
}

/** The OpenAPI document of a platform on a temporary database. */
async function describePlatform(): Promise<OpenApiDocument> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-generate-'))
  try {
    const settings = readPlatformSettings({
      TUTTI_DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: '0',
      CLUSTER_PORT: '0',
      DISCOVERY_PORTS: '',
    })
    const log = createLogger({ level: 'error', format: 'json' })
    await using platform = await createPlatform(settings, { role: 'api', log })
    const urls = await platform.listen()
    const response = await fetch(`${urls.console}/openapi.json`)
    return (await response.json()) as OpenApiDocument
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
