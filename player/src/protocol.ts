/**
 * What the player inside a framed page and the builder around it say to each other, by `postMessage`.
 *
 * The player obeys only `window.parent`, and only when its origin is the one player.js came from; it posts to that origin alone.
 * The builder checks that `event.source` is its frame. The order of a conversation:
 *
 * | when                       | player says             | builder says                                             |
 * |----------------------------|-------------------------|----------------------------------------------------------|
 * | a page with a player loads | `ready`                 | `hello`: from now on no tour starts by itself            |
 * | a page without one loads   | nothing                 | after a few seconds, that the page has no player         |
 * | picking                    | `hovered`…, `picked` or `pick-cancelled` | `pick`, perhaps `cancel-pick`           |
 * | checking selectors         | `counted`               | `count`                                                  |
 * | editing a step             | `step-shown`, `step-action` | `show-step` at every change, `hide-step`             |
 * | previewing                 | `preview-…`             | `play`; `stop` ends it                                   |
 * | the page changes its route | `route-changed`         |                                                          |
 *
 * A preview that goes on at another page says `preview-leaving` and opens it; the new page says `ready`, and the builder
 * sends `hello` and `play` again with the `from` it was told.
 */
export const channel = 'tutti-tours'
export const protocolVersion = 1

export type TipLocation = 'top' | 'bottom' | 'left' | 'right' | 'center'

/** A step as the platform sends it; what else it has does not matter here. */
export interface PlayableTip {
  readonly id: string
  readonly label: string
  readonly body: string
  readonly selector: string
  readonly location: TipLocation
  /** Tried in this order when `selector` matches nothing. */
  readonly candidates?: readonly string[]
  /** The element's text when it was picked; decides between several matches. */
  readonly target_text?: string | null
  /** Where this step shows: a route name or a path; null is wherever the tour is. */
  readonly route?: string | null
}

export type Launch = 'auto' | 'invite' | 'manual'

/** A tour as the platform sends it, its steps in the order they are shown. */
export interface PlayableTour {
  readonly id: string
  readonly label: string
  readonly launch: Launch
  readonly routes: readonly { readonly route_name: string }[]
  readonly tips: readonly PlayableTip[]
}

/** Where a page is: the route name it declares, if it does, and its path. */
export interface Place {
  readonly route: string | null
  readonly path: string
}

/** A place on the screen, in pixels of the framed page's viewport. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Stability = 'high' | 'medium' | 'low'

/** One way to find the picked element again, the best first. */
export interface SelectorCandidate {
  readonly selector: string
  /** How many elements of the page it matches now. */
  readonly matches: number
  readonly stability: Stability
  /** One sentence for the person who chooses. */
  readonly why: string
}

interface Envelope {
  readonly channel: typeof channel
  readonly version: typeof protocolVersion
}

/** What the player says. */
export type PlayerMessage = Envelope &
  (
    | ({ readonly type: 'ready'; readonly title: string } & Place)
    | ({ readonly type: 'route-changed'; readonly title: string } & Place)
    | { readonly type: 'hovered'; readonly description: string; readonly rect: Rect }
    | {
        readonly type: 'picked'
        readonly candidates: readonly SelectorCandidate[]
        /** The element's own words, at most 120 characters; null when it has none. */
        readonly text: string | null
        /** The element in words, such as `button "Save"`. */
        readonly description: string
        readonly rect: Rect
      }
    | { readonly type: 'pick-cancelled' }
    /** The picker could not be loaded: the page's policy forbids it, or the platform is away. */
    | { readonly type: 'pick-failed'; readonly message: string }
    | {
        readonly type: 'counted'
        /** In the order they were asked for; `valid` is false for what no browser accepts. */
        readonly counts: readonly {
          readonly selector: string
          readonly matches: number
          readonly valid: boolean
        }[]
      }
    | {
        readonly type: 'step-shown'
        readonly stepId: string
        /** False when no selector matches now: the step stands in the middle of the page, marked as missing its element. */
        readonly found: boolean
        /** The selector that found it: the step's own, one of its candidates, or null. */
        readonly selector: string | null
        /** How many elements that selector matches. */
        readonly matches: number
      }
    /** A button of a step shown by `show-step`; nothing else happens in the page. */
    | {
        readonly type: 'step-action'
        readonly stepId: string
        readonly action: 'next' | 'previous' | 'close'
      }
    | {
        readonly type: 'preview-step-changed'
        readonly stepId: string
        readonly index: number
        readonly selector: string | null
      }
    /** The element of a step did not come in time; the player went on to the next step. */
    | {
        readonly type: 'preview-step-skipped'
        readonly stepId: string
        readonly index: number
        readonly selector: string
      }
    /** The step is on another page, which opens now; `play` with this `from` goes on there. */
    | { readonly type: 'preview-leaving'; readonly from: number; readonly path: string }
    /** The step is on a route that has no path of its own: the page has to be opened by hand. */
    | { readonly type: 'preview-elsewhere'; readonly from: number; readonly route: string }
    | { readonly type: 'preview-ended'; readonly outcome: 'completed' | 'dismissed' | 'stopped' | 'empty' }
  )

/** What the builder says. */
export type BuilderMessage = Envelope &
  (
    | { readonly type: 'hello' }
    | { readonly type: 'pick' }
    | { readonly type: 'cancel-pick' }
    | { readonly type: 'count'; readonly selectors: readonly string[] }
    /** `index` counts from 0. Sent again for the same step it changes what is shown, without moving the focus. */
    | {
        readonly type: 'show-step'
        readonly tip: PlayableTip
        readonly index: number
        readonly total: number
      }
    | { readonly type: 'hide-step' }
    /** Outlines the elements a selector matches; null removes the outlines. */
    | { readonly type: 'highlight'; readonly selector: string | null }
    /** Plays a tour from a step (default 0). Nothing is counted and nothing remembered. */
    | { readonly type: 'play'; readonly tour: PlayableTour; readonly from?: number }
    | { readonly type: 'stop' }
  )

type Without<Message> = Message extends Envelope ? Omit<Message, keyof Envelope> : never

/** A message before it is put into its envelope. */
export type PlayerSays = Without<PlayerMessage>
export type BuilderSays = Without<BuilderMessage>

/** Puts a message into the envelope both sides look for. */
export function toMessage<Says extends PlayerSays | BuilderSays>(says: Says): Says & Envelope {
  return { channel, version: protocolVersion, ...says }
}

/** Tells a message of the player from whatever else arrives at a window. The origin is the receiver's to check. */
export function readPlayerMessage(data: unknown): PlayerMessage | undefined {
  return isEnveloped(data) ? (data as PlayerMessage) : undefined
}

export function readBuilderMessage(data: unknown): BuilderMessage | undefined {
  return isEnveloped(data) ? (data as BuilderMessage) : undefined
}

function isEnveloped(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  const { channel: name, version } = data as Partial<Envelope>
  return name === channel && version === protocolVersion
}
