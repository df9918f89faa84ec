import { UserMistake } from '#kernel/errors'
import { askPlatform, findPlatform, type PlatformOptions } from './find-platform.ts'
import { oneLine } from './run/printable.ts'

const toursPath = '/admin/structure/recipe-onboarding/tours'

interface ErrorBody {
  readonly message?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

/** The tours of a running platform. */
export interface ToursApi {
  /** Throws a UserMistake with what the platform says when it refuses. */
  post(path: string, body: object): Promise<Response>
  /** A file the platform keeps, by the address it told: it may know itself by another name than we do. */
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
      return await accepted(answer)
    },
    async fetchFile(address) {
      const answer = await askPlatform(`${url}${new URL(address).pathname}`, {})
      return Buffer.from(await (await accepted(answer)).arrayBuffer())
    },
  }
}

async function accepted(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const told = (await answer.json().catch(() => ({}))) as ErrorBody
  throw new UserMistake(describeRefusal(answer.status, told))
}

function describeRefusal(status: number, { message, errors = [] }: ErrorBody): string {
  return [
    oneLine(message ?? `The platform answered with status ${status}.`),
    ...(errors.length > 1 ? errors.map((error) => `  ${oneLine(`${error.field} ${error.message}`)}`) : []),
  ].join('\n')
}
