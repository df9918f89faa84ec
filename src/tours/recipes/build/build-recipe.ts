import type { RecipeFile, RecipeName, RecipeTour } from '../recipe-tour.ts'
import { writeComposerJson } from './composer-json.ts'
import { writeReadMe } from './read-me.ts'
import { writeRecipeYml } from './recipe-yml.ts'
import { tourFileOf, writeTourYml } from './tour-yml.ts'
import { tuttiFile, writeTuttiJson } from './tutti-json.ts'

/** The files of a recipe that puts tours into a site, in the order they are packed. The same tours give the same files. */
export function buildRecipe(name: RecipeName, tours: readonly RecipeTour[]): RecipeFile[] {
  const sorted = [...tours].sort((one, other) => (one.id < other.id ? -1 : 1))
  const written = sorted.map((tour) => ({ tour, yaml: writeTourYml(tour) }))
  return [
    fileOf('README.md', writeReadMe(name, sorted)),
    fileOf('composer.json', writeComposerJson(name)),
    ...written.map(({ tour, yaml }) => fileOf(tourFileOf(tour.id), yaml)),
    fileOf('recipe.yml', writeRecipeYml(name)),
    fileOf(tuttiFile, writeTuttiJson(written)),
  ]
}

function fileOf(path: string, content: string): RecipeFile {
  return { path, content: new TextEncoder().encode(content) }
}
