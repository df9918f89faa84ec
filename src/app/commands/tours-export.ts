import { writeFile } from 'node:fs/promises'
import { UserMistake } from '#kernel/errors'
import type { PlatformOptions } from './find-platform.ts'
import { connectToTours } from './tours-api.ts'

export interface ExportOptions extends PlatformOptions {
  readonly format: 'zip' | 'tar.gz' | 'json'
  readonly output?: string
  readonly action: string
  readonly name?: string
}

interface ExportAnswer {
  readonly filename: string
  readonly download_url: string
}

/** `tutti tours export`: writes a tour to a file, as a recipe. */
export async function exportTour(id: string, options: ExportOptions): Promise<void> {
  const { format, output, action, name, ...platform } = options
  const api = await connectToTours(platform)
  const body = { action, export_format: format, ...(name !== undefined && { recipe_name: name }) }
  const answer = await api.post(`/${encodeURIComponent(id)}/export`, body)
  const { filename, download_url } = (await answer.json()) as ExportAnswer
  const content = await api.fetchFile(download_url)
  if (output === '-') {
    process.stdout.write(content)
    return
  }
  const file = output ?? filename
  try {
    await writeFile(file, content, { flag: output === undefined ? 'wx' : 'w' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code !== 'EEXIST') throw new UserMistake(`${file} cannot be written (${code}).`, { cause: error })
    throw new UserMistake(
      `${file} is there already. Name another file with --output, or the same to replace it.`,
    )
  }
  console.log(`${id} is exported to ${file}`)
}
