import { type Static, Type } from 'typebox'

/** The position of a step relative to its element; `center` is the middle of the page, without an element. */
export const locations = ['top', 'bottom', 'left', 'right', 'center'] as const
export type Location = (typeof locations)[number]

/** How a published tour starts: automatically once per visitor, after an invitation, or only on request. */
export const launches = ['auto', 'invite', 'manual'] as const
export type Launch = (typeof launches)[number]

/** The limits of a tour. Lengths are in characters. */
export const bounds = {
  id: 64,
  label: 255,
  steps: 50,
  routes: 20,
  routeName: 255,
  /** After sanitising. */
  body: 10_000,
  /** Before sanitising: bounds the time that sanitising takes. */
  sentBody: 50_000,
  /** Opening and closing tags in a body before sanitising. */
  sentTags: 1000,
  selector: 1000,
  candidates: 3,
  targetText: 200,
} as const

export const idPattern = `^[a-z0-9_-]{1,${bounds.id}}$`
export const idMeans = `must be 1 to ${bounds.id} of a-z, 0-9, _ and -`

export const Route = Type.Object(
  {
    route_name: Type.String({
      description:
        'A route name that the page declares, or a path that begins with `/`, in which `*` matches anything; `<front>` is `/`.',
    }),
  },
  { description: 'A page the tour is shown on.' },
)
export type Route = Static<typeof Route>

export const Tip = Type.Object(
  {
    id: Type.String({ description: 'Id of the step, unique within its tour.' }),
    label: Type.String({ description: 'Title shown to visitors. Plain text.' }),
    body: Type.String({ description: 'Text of the step: sanitised HTML.' }),
    selector: Type.String({
      description: 'CSS selector of the element; empty for a step in the middle of the page.',
    }),
    location: Type.Enum([...locations], { description: 'Position relative to the element.' }),
    weight: Type.Integer({ description: 'Position of the step in the tour, from 1.' }),
    route: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The route of the tour on which the step is shown; null: on all of them.',
    }),
    candidates: Type.Array(Type.String(), {
      description: 'Fallback selectors, tried in this order when `selector` matches nothing.',
    }),
    target_text: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Text of the element when it was selected.',
    }),
  },
  { description: 'A step of a tour.' },
)
export type Tip = Static<typeof Tip>

export const Tour = Type.Object(
  {
    id: Type.String({ description: 'Machine name of the tour.' }),
    label: Type.String({ description: 'Name of the tour. Plain text.' }),
    status: Type.Boolean({ description: 'Whether the tour is published.' }),
    routes: Type.Array(Route),
    tips: Type.Array(Tip, { description: 'Steps, ordered by weight.' }),
    recipe_id: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The linked recipe, which an export updates; null: none.',
    }),
    launch: Type.Enum([...launches], {
      description:
        'How the tour starts: `auto`: by itself, once per visitor; `invite`: after an invitation; `manual`: only on request.',
    }),
    revision: Type.Integer({ description: 'Increases by one with each change.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Username of the last editor; null for the platform.',
    }),
  },
  { description: 'A guided tour.' },
)
export type Tour = Static<typeof Tour>

/** The editable fields of a tour; the others are maintained by the platform. */
export type TourContent = Pick<Tour, 'label' | 'routes' | 'tips' | 'recipe_id' | 'launch'>

/** Sets the weights of the steps to their positions in the list. */
export function renumberTips(tips: readonly Tip[]): Tip[] {
  return tips.map((tip, index) => ({ ...tip, weight: index + 1 }))
}
