import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../player/dist/', import.meta.url))

/** A script as it is sent, in every encoding there is of it. */
export interface PlayerFile {
  readonly tag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** Reads one of the player's built files; they are small and asked for all the time. */
export function readPlayerFile(name: 'player.js' | 'picker.js'): PlayerFile {
  const file = folder + name
  if (!existsSync(file)) throw new Error('the tour player is not built; run: npm run prepare')
  const plain = readFileSync(file)
  return {
    // Weak, because it stands for all encodings.
    tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: readFileSync(`${file}.gz`),
    br: readFileSync(`${file}.br`),
  }
}

/** The encoding a browser takes, the smallest first. */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | 'plain' {
  const wanted = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  )
  if (wanted.has('br')) return 'br'
  return wanted.has('gzip') ? 'gzip' : 'plain'
}
