import { Type } from 'typebox'
import { createValueCheck } from '#kernel/http'
import { type Launch, launches, type Route, type Tip } from '../../tour.ts'
import { type TipExtras, type TourExtras, tuttiFormat } from '../build/tutti-json.ts'

/** The fields that `tutti.tour.json` adds to a tour. */
export interface ParsedTourExtras {
  readonly sha256: string
  readonly launch: Launch
  readonly routes: Route[] | undefined
  readonly tips: ReadonlyMap<string, Pick<Tip, 'route' | 'candidates' | 'target_text' | 'selector'>>
}

const nullableText = Type.Unsafe<string | null>({ type: 'string', nullable: true })

const TuttiJson = Type.Object({
  format: Type.Literal(tuttiFormat),
  version: Type.Literal(1),
  tours: Type.Array(
    Type.Object({
      id: Type.String(),
      file: Type.String(),
      sha256: Type.String(),
      launch: Type.Enum([...launches]),
      routes: Type.Optional(Type.Array(Type.Object({ route_name: Type.String() }))),
      tips: Type.Array(
        Type.Object({
          id: Type.String(),
          selector: Type.String(),
          route: nullableText,
          candidates: Type.Array(Type.String()),
          target_text: nullableText,
        }),
      ),
    }),
  ),
})

/** Validates `tutti.tour.json`. */
export const findExtrasProblems = createValueCheck(TuttiJson)

/** Reads `tutti.tour.json` by tour id. An invalid file adds nothing; `checkRecipe` reports it. */
export function readExtras(value: unknown): ReadonlyMap<string, ParsedTourExtras> {
  if (value === undefined || findExtrasProblems(value).length > 0) return new Map()
  const { tours } = value as { readonly tours: readonly TourExtras[] }
  return new Map(
    tours.map(({ id, sha256, launch, routes, tips }) => [
      id,
      {
        sha256,
        launch,
        routes: routes?.map(({ route_name }) => ({ route_name })),
        tips: new Map(tips.map((tip) => [tip.id, withoutId(tip)])),
      },
    ]),
  )
}

function withoutId({ selector, route, candidates, target_text }: TipExtras) {
  return { selector, route, candidates: [...candidates], target_text }
}
