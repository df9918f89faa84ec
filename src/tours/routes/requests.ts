import { type TSchema, Type } from 'typebox'
import { bounds, idMeans, idPattern, launches, locations } from '../tour.ts'

const closed = { additionalProperties: false }

const maybeText = (description: string, maxLength: number) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength, description })

const Id = (description: string) => Type.String({ pattern: idPattern, 'x-means': idMeans, description })

/** Lengths are checked when it is read, in characters as people count them; this only keeps out what nobody could mean. */
const Label = (description: string) => Type.String({ maxLength: 2000, description })

const RecipeId = maybeText('The recipe that exporting updates; null or empty for none.', bounds.id)

const Routes = Type.Array(
  Type.Object(
    { route_name: Type.String({ maxLength: 2000, description: 'A route name, a path, or `<front>`.' }) },
    closed,
  ),
  { maxItems: bounds.routes, description: 'Where the tour is shown.' },
)

const LaunchField = Type.Enum([...launches], {
  description: 'How it begins; `auto` unless it says otherwise.',
})

const Revision = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The revision you made your change on. When it is an old one, nothing is changed (409). The same as `If-Match`.',
})

const stepFields = {
  body: Type.Optional(
    Type.String({
      maxLength: bounds.sentBody,
      description: `HTML: p, br, strong, em, b, i, code, pre, ul, ol, li, a, h3, h4 and blockquote stay, the rest is taken out. At most ${bounds.body} characters then.`,
    }),
  ),
  selector: Type.Optional(
    maybeText('CSS selector of the element. A step in the middle of the page has none.', bounds.selector),
  ),
  location: Type.Optional(
    Type.Enum([...locations], {
      description:
        'Where the step stands. `bottom` when there is a selector and nothing is said, else `center`.',
    }),
  ),
  route: Type.Optional(maybeText('One of the tour’s routes; null is wherever the tour is.', 2000)),
  candidates: Type.Optional(
    Type.Array(Type.String({ maxLength: bounds.selector }), {
      maxItems: bounds.candidates,
      description: 'More selectors, tried in this order when `selector` matches nothing.',
    }),
  ),
  target_text: Type.Optional(
    maybeText(`The words of the element; the first ${bounds.targetText} characters are kept.`, 20_000),
  ),
  weight: Type.Optional(
    Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'The place of the step, from 1.' }),
  ),
}

const GivenTip = Type.Object(
  {
    id: Type.Optional(Id('Without one it gets one from its label.')),
    label: Label('Its title.'),
    ...stepFields,
  },
  { ...closed, description: 'A step.' },
)

const Tips = Type.Array(GivenTip, {
  maxItems: bounds.steps,
  description: 'All steps. They stand by weight when each has one, else as they are listed.',
})

/** Sent back as they were answered, by those who read a tour, change something and send the whole; nothing comes of them. */
const asAnswered = {
  created_at: Type.Optional(Type.String({ maxLength: 100, description: 'As it was answered.' })),
  updated_at: Type.Optional(Type.String({ maxLength: 100, description: 'As it was answered.' })),
  updated_by_name: Type.Optional(maybeText('As it was answered.', 255)),
}

export const creationMethods = ['visual', 'template', 'import'] as const

export const NewTourBody = Type.Object(
  {
    label: Type.Optional(Label('What people call it. Required, unless an imported tour brings one.')),
    id: Type.Optional(Id('Without one it gets one from its label.')),
    recipe_id: Type.Optional(RecipeId),
    creation_method: Type.Optional(
      Type.Enum([...creationMethods], {
        description:
          '`visual`: without steps, for the builder. `template`: with the steps of `template`. `import`: as `tour` says.',
      }),
    ),
    template: Type.Optional(Type.String({ maxLength: 255, description: 'One of the templates.' })),
    tour: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>> | string>({
        anyOf: [
          { type: 'object', additionalProperties: true },
          { type: 'string', minLength: 1 },
        ],
        description:
          'A tour as this interface answers it, a recipe exported as JSON, or a recipe as a zip, tar.gz or JSON file in Base64.',
      }),
    ),
    routes: Type.Optional(Routes),
    launch: Type.Optional(LaunchField),
  },
  { ...closed, description: 'A new tour. It is a draft.' },
)

export const ChangedTourBody = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 255, description: 'The same as in the address.' })),
    label: Type.Optional(Label('What people call it.')),
    status: Type.Optional(
      Type.Boolean({
        description: 'True publishes, false takes back. Without a step there is nothing to publish (422).',
      }),
    ),
    recipe_id: Type.Optional(RecipeId),
    routes: Type.Optional(Routes),
    tips: Type.Optional(Tips),
    launch: Type.Optional(LaunchField),
    revision: Type.Optional(Revision),
    ...asAnswered,
  },
  { ...closed, minProperties: 1, description: 'What is to change. What is left out stays as it is.' },
)

/** What an import brings, once files have been read. */
export const ImportedTour = Type.Object(
  {
    id: Type.Optional(Id('Taken when it is free, else with a number.')),
    label: Type.Optional(Label('What people call it.')),
    status: Type.Optional(Type.Boolean({ description: 'A new tour is a draft, whatever it was.' })),
    recipe_id: Type.Optional(RecipeId),
    routes: Type.Optional(Routes),
    tips: Type.Optional(Tips),
    launch: Type.Optional(LaunchField),
    revision: Type.Optional(Type.Integer()),
    ...asAnswered,
  },
  closed,
)

export const StepBody = Type.Object(
  {
    stepId: Type.String({ minLength: 1, maxLength: 255, description: 'The step; `new-step` adds one.' }),
    stepData: Type.Object(
      { title: Type.Optional(Label('Its title. A new step needs one.')), ...stepFields },
      { ...closed, description: 'What it is to be. Of a stored step, what is left out stays as it is.' },
    ),
    revision: Type.Optional(Revision),
  },
  closed,
)

export const ReorderBody = Type.Object(
  {
    order: Type.Array(
      Type.Union([
        Type.String({ maxLength: 255 }),
        Type.Object(
          {
            id: Type.String({ maxLength: 255 }),
            weight: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
          },
          closed,
        ),
      ]),
      {
        maxItems: 4 * bounds.steps,
        description:
          'Every step of the tour once: its id, or an object with it. Weights decide when every entry has one, else the order of the list.',
      },
    ),
    revision: Type.Optional(Revision),
  },
  closed,
)

export const revisionQuery = Type.Object({ revision: Type.Optional(Revision) })

const nameInPath = (description: string) => Type.String({ maxLength: 255, description })

export const tourParams = Type.Object({ tour: nameInPath('The machine name of the tour.') })

export const stepParams = Type.Object({
  tour: nameInPath('The machine name of the tour.'),
  step_id: nameInPath('The id of the step.'),
})

export const templateParams = Type.Object({ template: nameInPath('The id of the template.') })

/** An answer that worked. */
export const succeeded = <Fields extends Record<string, TSchema>>(fields: Fields, description: string) =>
  Type.Object({ success: Type.Literal(true), ...fields }, { description })
