import type { Connection } from './connection.ts'

/** A file of the console that cannot be loaded into this document: only a reload helps. */
export class ChunkFailure extends Error {
  readonly reason: 'upgraded' | 'blocked'
  constructor(reason: ChunkFailure['reason']) {
    super(reason === 'upgraded' ? 'Tutti was upgraded.' : 'A file of the console could not be loaded.')
    this.reason = reason
  }
}

/** The number of imports after the platform responded: one may meet a platform that stops again. */
const maxImports = 2

/**
 * Imports a part of the console. While the platform is away, the import waits for it. Throws `ChunkFailure` when the
 * platform responds and the part still cannot be loaded.
 */
export async function loadChunk<Module>(
  importer: () => Promise<Module>,
  connection: Pick<Connection, 'untilAnswered' | 'reloadStyles' | 'findReload'>,
): Promise<Module> {
  const first = await importer().catch(() => undefined)
  if (first !== undefined) return first
  for (;;) {
    for (let imports = 0; imports < maxImports; imports += 1) {
      await connection.untilAnswered()
      const loaded = await connection
        .reloadStyles()
        .then(importer)
        .catch(() => undefined)
      if (loaded !== undefined) return loaded
    }
    const reason = await connection.findReload()
    if (reason !== undefined) throw new ChunkFailure(reason)
  }
}
