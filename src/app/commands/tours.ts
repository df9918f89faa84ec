import { writeFile } from 'node:fs/promises'
import { UserError } from '#kernel/errors'
import { askPlatform, findPlatform, type PlatformOptions } from './find-platform.ts'
import { oneLine } from './text.ts'

const toursPath = '/admin/structure/recipe-onboarding/tours'

interface ErrorBody {
  readonly message?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

/** The tours of a running platform. */
interface ToursApi {
  /** Throws a UserMistake with the message of the platform when it rejects the request. */
  post(path: string, body: object): Promise<Response>
  /** Downloads a file by its URL, from the host we connect to: the platform may know itself by another host name. */
  fetchFile(address: string): Promise<Buffer>
}

export async function connectToTours(options: PlatformOptions): Promise<ToursApi> {
  const { url, authorization } = await findPlatform(options)
  return {
    async post(path, body) {
      const answer = await askPlatform(`${url}${toursPath}${path}`, {
        method: 'POST',
        headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return await requireOk(answer)
    },
    async fetchFile(address) {
      const answer = await askPlatform(`${url}${new URL(address).pathname}`, {})
      return Buffer.from(await (await requireOk(answer)).arrayBuffer())
    },
  }
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const body = (await response.json().catch(() => ({}))) as ErrorBody
  throw new UserError(describeError(response.status, body))
}

function describeError(status: number, { message, errors = [] }: ErrorBody): string {
  return [
    oneLine(message ?? `The platform answered with status ${status}.`),
    ...(errors.length > 1 ? errors.map((error) => `  ${oneLine(`${error.field} ${error.message}`)}`) : []),
  ].join('\n')
}

export interface ExportOptions extends PlatformOptions {
  readonly format: 'zip' | 'tar.gz' | 'json'
  readonly output?: string
  readonly action: string
  readonly name?: string
}

interface ExportResponse {
  readonly filename: string
  readonly download_url: string
}

/** `tutti tours export`: writes a tour to a file, as a recipe. */
export async function exportTour(id: string, options: ExportOptions): Promise<void> {
  const { format, output, action, name, ...platform } = options
  const api = await connectToTours(platform)
  const body = { action, export_format: format, ...(name !== undefined && { recipe_name: name }) }
  const answer = await api.post(`/${encodeURIComponent(id)}/export`, body)
  const { filename, download_url } = (await answer.json()) as ExportResponse
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
    if (code !== 'EEXIST') throw new UserError(`${file} cannot be written (${code}).`, { cause: error })
    throw new UserError(
      `${file} is there already. Name another file with --output, or the same to replace it.`,
    )
  }
  console.log(`${id} is exported to ${file}`)
}
