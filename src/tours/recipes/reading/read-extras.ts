import { Type } from 'typebox'
import { createValueCheck } from '#kernel/http'
import { Targeting } from '../../targeting/targeting.ts'
import { advances, type Launch, launches, Route, Translation } from '../../tour.ts'
import { tourFileOf } from '../build/tour-yml.ts'
import { type TipExtras, type TourExtras, tuttiFormat } from '../build/tutti-json.ts'

/** The fields that `tutti.tour.json` adds to a tour. */
export interface ParsedTourExtras {
  readonly id: string
  readonly files: TourExtras['files']
  readonly label: string | undefined
  readonly launch: Launch
  readonly targeting: Targeting | undefined
  readonly routes: readonly Route[] | undefined
  /** By id, in the order of the steps. */
  readonly tips: ReadonlyMap<string, Omit<TipExtras, 'id'>>
  readonly translations: readonly Translation[]
}

const nullableText = Type.Unsafe<string | null>({ type: 'string', nullable: true })

const tourFields = {
  id: Type.String(),
  launch: Type.Enum([...launches]),
  targeting: Type.Optional(Targeting),
  label: Type.Optional(Type.String()),
  routes: Type.Optional(Type.Array(Route)),
  tips: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.Optional(Type.String()),
      body: Type.Optional(Type.String()),
      selector: Type.String(),
      route: nullableText,
      candidates: Type.Array(Type.String()),
      target_text: nullableText,
      advance: Type.Optional(Type.Enum([...advances])),
    }),
  ),
  translations: Type.Optional(Type.Array(Translation)),
}

/** Version 1 had one file for each tour. */
const TuttiJson = Type.Object({
  format: Type.Literal(tuttiFormat),
  version: Type.Enum([1, 2]),
  tours: Type.Array(
    Type.Union([
      Type.Object({
        ...tourFields,
        files: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() })),
      }),
      Type.Object({ ...tourFields, file: Type.String(), sha256: Type.String() }),
    ]),
  ),
})

/** Validates `tutti.tour.json`. */
export const findExtrasProblems = createValueCheck(TuttiJson)

/** Reads `tutti.tour.json` by the paths of the YAML files. An invalid file adds nothing; `checkRecipe` reports it. */
export function readExtras(value: unknown): ReadonlyMap<string, ParsedTourExtras> {
  if (value === undefined || findExtrasProblems(value).length > 0) return new Map()
  const { tours } = value as { readonly tours: readonly (TourExtras | FirstVersion)[] }
  return new Map(
    tours.map(parseTour).flatMap((extras) => extras.files.map(({ path }) => [path, extras] as const)),
  )
}

type FirstVersion = Omit<TourExtras, 'files'> & { readonly file: string; readonly sha256: string }

function parseTour(tour: TourExtras | FirstVersion): ParsedTourExtras {
  const { id, launch, label, routes, tips, targeting, translations = [] } = tour
  return {
    id,
    files: 'files' in tour ? tour.files : [{ path: tourFileOf(id), sha256: tour.sha256 }],
    label,
    launch,
    targeting,
    routes: routes?.map((route) => ({ ...route })),
    tips: new Map(tips.map(({ id: tip, ...extras }) => [tip, extras])),
    translations,
  }
}
