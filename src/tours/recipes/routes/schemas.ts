import { Type } from 'typebox'
import { oneLineOrEmpty } from '#kernel/http'
import { Tour } from '../../tour.ts'
import { severities } from '../check/findings.ts'
import { exportActions } from '../export-tour.ts'
import { recipeFormats } from '../pack-recipe.ts'

const closed = { additionalProperties: false }

const oneLine = (description: string, maxLength: number) =>
  Type.String({
    maxLength,
    ...oneLineOrEmpty,
    description,
  })

export const ExportRequest = Type.Object(
  {
    action: Type.Enum([...exportActions], {
      default: 'export_only',
      description:
        '`export_only`: exports the files only. `create_new`: also creates a recipe and links the tour to it. `update_existing`: updates the linked recipe with the current tour and exports it with all its tours.',
    }),
    recipe_name: Type.Optional(
      oneLine('Name of the recipe. Default: the name of the linked recipe, or the label of the tour.', 255),
    ),
    description: Type.Optional(oneLine('Description of the recipe, on one line.', 500)),
    export_format: Type.Optional(
      Type.Enum([...recipeFormats], { description: 'File format. Default: `zip`.' }),
    ),
  },
  { ...closed, description: 'Export options. `{}` exports a zip without a linked recipe.' },
)

export const ExportedFile = Type.Object({
  path: Type.String({ description: 'Path relative to the folder of the recipe.' }),
  size: Type.Integer({ description: 'Size in bytes.' }),
  sha256: Type.String(),
})

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

export const ExportResponse = Type.Object({
  success: Type.Literal(true),
  action: Type.Enum([...exportActions]),
  export_format: Type.Enum([...recipeFormats]),
  recipe_id: nullableText('The linked recipe; null: none.'),
  recipe: Type.Object({
    name: Type.String(),
    machine_name: Type.String({ description: 'Name of the folder.' }),
    files: Type.Array(ExportedFile),
  }),
  filename: Type.String(),
  download_url: Type.String({
    description: 'URL of the file. It needs no credential until it expires.',
  }),
  expires_at: Type.String({ format: 'date-time' }),
})

export const FindingSchema = Type.Object({
  severity: Type.Enum([...severities], {
    description:
      '`error`: a site refuses the recipe, or the tour does not work. `warning`: it depends on the site. `note`: information.',
  }),
  code: Type.String(),
  file: Type.String({ description: 'Path of the file, relative to the folder of the recipe.' }),
  path: Type.String({ description: 'Location in the file, such as `tips.welcome.position`.' }),
  line: Type.Unsafe<number | null>({ type: 'integer', nullable: true }),
  message: Type.String(),
})

export const RecipeResponse = Type.Object(
  {
    id: Type.String({ description: 'Machine name of the recipe and name of its folder.' }),
    name: Type.String(),
    description: Type.String(),
    tours: Type.Array(Type.Object({ id: Type.String(), label: Type.String(), steps: Type.Integer() }), {
      description: 'The tours of the recipe, as of their last export.',
    }),
    revision: Type.Integer({ description: 'Increases by one with each export.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: nullableText('Username of the account that exported to it last.'),
  },
  { description: 'A stored recipe.' },
)

/** A recipe to check: as JSON, or as a file in Base64. */
export const CheckRequest = Type.Object(
  {
    recipe: Type.Unsafe<string | Readonly<Record<string, unknown>>>({
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'object', additionalProperties: true },
      ],
      description: 'A recipe exported as JSON; or a zip, a tar.gz or a JSON file in Base64.',
    }),
  },
  closed,
)

export const ImportableTour = Type.Pick(
  Tour,
  ['id', 'label', 'status', 'launch', 'langcode', 'routes', 'tips'],
  {
    description: 'A tour that can be imported.',
  },
)
