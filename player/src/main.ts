import { connectBuilder } from './builder-link.ts'
import { type PageTracker, trackPage } from './page-tracker.ts'
import { connectPlatform } from './platform.ts'
import { createReporter } from './reporter.ts'
import { createStage } from './stage/stage.ts'
import { readTag, type Tag } from './tag.ts'
import { createTourController, type TourController } from './tour-controller.ts'
import { createTourStorage } from './tour-storage.ts'

/** The JavaScript API for pages: `window.tuttiTours`. */
export interface TuttiTours
  extends Pick<TourController, 'start' | 'stop' | 'list'>,
    Pick<PageTracker, 'setRoute'> {}

declare global {
  interface Window {
    tuttiTours?: TuttiTours
  }
}

const embedded = readTag()
// A second tag does nothing, and neither does a browser without constructable style sheets.
if (embedded !== undefined && window.tuttiTours === undefined && 'adoptedStyleSheets' in Document.prototype) {
  run(embedded)
}

function run(tag: Tag): void {
  const page = trackPage(tag.route)
  const storage = createTourStorage()
  const stage = createStage({ theme: tag.theme })
  const platform = connectPlatform(tag)
  const reporter = createReporter(platform)
  const controller = createTourController({ platform, page, storage, stage, reporter })
  tag.onChange(() => {
    stage.surface.applyTheme()
    page.check()
  })
  window.tuttiTours = {
    start: controller.start,
    stop: controller.stop,
    list: controller.list,
    setRoute: page.setRoute,
  }
  connectBuilder({ tag, page, stage, onHello: controller.disable })
    .then(controller.resumeOrOffer)
    // An error of the player must not affect the page.
    .catch((error: unknown) => console.warn('Tours are not available:', error))
}
