import { type Static, Type } from 'typebox'

/** Where a step stands relative to its element; `center` is the middle of the page, and needs none. */
export const locations = ['top', 'bottom', 'left', 'right', 'center'] as const
export type Location = (typeof locations)[number]

/** How a published tour begins: by itself once for each visitor, after asking, or only when it is asked for. */
export const launches = ['auto', 'invite', 'manual'] as const
export type Launch = (typeof launches)[number]

/** How much a tour can hold. Lengths are in characters. */
export const bounds = {
  id: 64,
  label: 255,
  steps: 50,
  routes: 20,
  routeName: 255,
  /** After it was cleaned. */
  body: 10_000,
  /** As it was sent: markup that will be taken out must not keep anybody waiting. */
  sentBody: 50_000,
  /** Tags in a body as it was sent, opening and closing. */
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
        'A route name that the page declares, or a path that begins with `/`, in which `*` stands for anything; `<front>` is `/`.',
    }),
  },
  { description: 'Where a tour is shown.' },
)
export type Route = Static<typeof Route>

export const Tip = Type.Object(
  {
    id: Type.String({ description: 'Names the step within its tour.' }),
    label: Type.String({ description: 'The title visitors see. Plain text.' }),
    body: Type.String({ description: 'What the step says: HTML, cleaned.' }),
    selector: Type.String({
      description: 'CSS selector of the element; empty when the step stands in the middle of the page.',
    }),
    location: Type.Enum([...locations], { description: 'Where the step stands relative to its element.' }),
    weight: Type.Integer({ description: 'The place of the step, from 1.' }),
    route: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'On which of the tour’s routes the step shows; null is wherever the tour is.',
    }),
    candidates: Type.Array(Type.String(), {
      description: 'More selectors, tried in this order when `selector` matches nothing.',
    }),
    target_text: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The words of the element when it was chosen.',
    }),
  },
  { description: 'A step of a tour.' },
)
export type Tip = Static<typeof Tip>

export const Tour = Type.Object(
  {
    id: Type.String({ description: 'Names the tour.' }),
    label: Type.String({ description: 'What people call it. Plain text.' }),
    status: Type.Boolean({ description: 'Whether visitors see it.' }),
    routes: Type.Array(Route),
    tips: Type.Array(Tip, { description: 'Its steps, by weight.' }),
    recipe_id: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The recipe that exporting updates; null when there is none.',
    }),
    launch: Type.Enum([...launches], {
      description:
        'How it begins: `auto` by itself, once for each visitor; `invite` after asking; `manual` only when asked for.',
    }),
    revision: Type.Integer({ description: 'One more with each change.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Who changed it last; null for the platform itself.',
    }),
  },
  { description: 'A guided tour.' },
)
export type Tour = Static<typeof Tour>

/** What of a tour people write; the rest is kept about it. */
export type TourContent = Pick<Tour, 'label' | 'routes' | 'tips' | 'recipe_id' | 'launch'>

/** Steps in the order they stand in, with their weights counted anew. */
export function inOrder(tips: readonly Tip[]): Tip[] {
  return tips.map((tip, index) => ({ ...tip, weight: index + 1 }))
}
