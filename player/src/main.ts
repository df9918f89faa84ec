import { createAppearance } from './appearance.ts'
import { connectBuilder } from './builder-link.ts'
import { onHook } from './hooks.ts'
import { type PageTracker, trackPage } from './page-tracker.ts'
import { connectPlatform } from './platform.ts'
import { createReporter } from './reporter.ts'
import { createStage } from './stage/stage.ts'
import { readTag, type Tag } from './tag.ts'
import { createTourController, type TourController } from './tour-controller.ts'
import { createTourStorage } from './tour-storage.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** The JavaScript API for pages: `window.tuttiTours`. */
export interface TuttiTours
  extends Omit<TourController, 'resumeOrOffer' | 'disable'>,
    Pick<PageTracker, 'setRoute'>,
    Pick<Visitor, 'identify'> {
  readonly on: typeof onHook
}

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
  const appearance = createAppearance()
  const stage = createStage({ theme: tag.theme, appearance })
  const platform = connectPlatform({
    ...tag,
    language: () => document.documentElement.lang || navigator.language,
    onPlayer: appearance.set,
  })
  const reporter = createReporter(platform)
  const { say } = appearance
  const visitor = createVisitor({
    storage: createTourStorage(),
    platform,
    initial: tag.identity,
    isAwaited: tag.waitsForIdentity,
    onChange: () => void controller.resumeOrOffer(),
  })
  const controller = createTourController({ platform, page, visitor, stage, reporter, say })
  const { resumeOrOffer, disable, ...control } = controller
  tag.onChange(() => {
    stage.surface.applyTheme()
    page.check()
  })
  window.tuttiTours = { ...control, setRoute: page.setRoute, identify: visitor.identify, on: onHook }
  function onHello(): void {
    disable()
    // For its texts and theme: a preview looks as the tour does for visitors.
    void platform.toursAt(page.now())
  }
  connectBuilder({ tag, page, stage, say, onHello })
    .then(resumeOrOffer)
    // An error of the player must not affect the page.
    .catch((error: unknown) => console.warn('Tours are not available:', error))
}
