import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import type { OpenApiDocument } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { createPlatform } from '../src/app/platform.ts'
import { readPlatformSettings } from '../src/app/settings.ts'

/** The OpenAPI document of a platform on a temporary database, without the console, which is built from it. */
export async function describePlatform(): Promise<OpenApiDocument> {
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
    const console = { addRoutes: async () => {}, sendPage: (reply: FastifyReply) => reply }
    await using platform = await createPlatform(settings, { role: 'api', log, console })
    const urls = await platform.listen()
    const response = await fetch(`${urls.console}/openapi.json`)
    return (await response.json()) as OpenApiDocument
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
