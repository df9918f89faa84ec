import type { Api } from '../../../api/api.ts'
import type { Finding } from '../export/export-calls.ts'
import { type NewTour, tourAnswer } from './tour-calls.ts'

type GivenTour = NonNullable<NewTour['tour']>

/** The content of an import file: its tours, and the findings about its recipe. */
export interface ImportFile {
  readonly tours: readonly {
    readonly id: string
    readonly label: string
    readonly steps: number
    readonly given: GivenTour
  }[]
  readonly findings: readonly Finding[]
}

/** The maximum request size of the server. */
const maxBytes = 740_000

/** Looks into a file. What is no recipe may still be a tour, saved as the platform answered it. */
export async function readImportFile(api: Api, file: File): Promise<ImportFile> {
  if (file.size > maxBytes)
    throw new Error(
      `${file.name} is larger than ${maxBytes / 1000} KB. Import it with the command: npx tutti tours import.`,
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  const tour = readTour(bytes)
  if (tour !== undefined) {
    return {
      findings: [],
      tours: [
        { id: textOf(tour['id']), label: textOf(tour['label']), steps: countOf(tour['tips']), given: tour },
      ],
    }
  }
  const { findings, tours } = await tourAnswer(
    api.client.POST('/tours/recipes/check', { body: { recipe: encode(bytes) } }),
  )
  return {
    findings,
    tours: tours.map((given) => ({
      id: given.id,
      label: given.label,
      steps: given.tips.length,
      given: { ...given },
    })),
  }
}

/** A tour as JSON, alone or in the answer it came in; undefined for everything else, recipes too. */
export function readTour(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!isObject(value) || 'format' in value) return undefined
    return isObject(value['tour']) ? value['tour'] : value
  } catch {
    return undefined
  }
}

/** Base64, piece by piece: a call with a million arguments fails. */
export function encode(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
