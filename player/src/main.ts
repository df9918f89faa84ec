import { linkBuilder } from './builder-link.ts'
import { type Conductor, createConductor } from './conductor.ts'
import { createMemory } from './memory.ts'
import { followPlaces, type Places } from './places.ts'
import { connectPlatform } from './platform.ts'
import { createReporter } from './reporter.ts'
import { createStage } from './stage/stage.ts'
import { readTag, type Tag } from './tag.ts'

/** What a page can ask of the player. */
export interface TuttiTours extends Pick<Conductor, 'start' | 'stop' | 'list'>, Pick<Places, 'setRoute'> {}

declare global {
  interface Window {
    tuttiTours?: TuttiTours
  }
}

const embedded = readTag()
// A second tag does nothing, and neither does a browser too old to show anything.
if (embedded !== undefined && window.tuttiTours === undefined && 'adoptedStyleSheets' in Document.prototype) {
  run(embedded)
}

function run(tag: Tag): void {
  const places = followPlaces(tag.route)
  const memory = createMemory()
  const stage = createStage({ theme: tag.theme })
  const platform = connectPlatform(tag)
  const reporter = createReporter(platform)
  const conductor = createConductor({ platform, places, memory, stage, reporter })
  tag.onChange(() => {
    stage.surface.dress()
    places.look()
  })
  window.tuttiTours = {
    start: conductor.start,
    stop: conductor.stop,
    list: conductor.list,
    setRoute: places.setRoute,
  }
  linkBuilder({ tag, places, stage, onHello: conductor.retire })
    .then(conductor.look)
    // Whatever goes wrong here is ours alone: the page goes on.
    .catch((error: unknown) => console.warn('Tours are not available:', error))
}
