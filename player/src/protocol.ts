import type { Texts } from '../../src/tours/player/texts.ts'

/**
 * The `postMessage` protocol between the player in a framed page and the builder around it.
 *
 * The player accepts messages only from `window.parent` with the origin of player.js, and posts to that origin only.
 * The builder checks that `event.source` is its frame. The order of messages:
 *
 * | when                       | player sends            | builder sends                                            |
 * |----------------------------|-------------------------|----------------------------------------------------------|
 * | a page with a player loads | `ready`                 | `hello`: from now on no tour starts automatically        |
 * | a page without one loads   | nothing                 | nothing; after a few seconds it reports a missing player |
 * | picking                    | `hovered`…, `picked` or `pick-cancelled` | `pick`, perhaps `cancel-pick`           |
 * | checking selectors         | `counted`               | `count`                                                  |
 * | editing a step             | `step-shown`, `step-action` | `show-step` after every change, `hide-step`          |
 * | previewing                 | `preview-…`             | `play`; `stop` ends it                                   |
 * | the page changes its route | `route-changed`         |                                                          |
 *
 * A preview that continues on another page sends `preview-leaving` and opens it; the new page sends `ready`, and the
 * builder sends `hello` and `play` again with that `from`.
 */
export const channel = 'tutti-tours'
export const protocolVersion = 1

export type TipLocation = 'top' | 'bottom' | 'left' | 'right' | 'center'

/** What continues a step besides its buttons. */
export type Advance = 'next' | 'click' | 'input' | 'navigation'

/** The fields of a step that the player uses. */
export interface PlayableTip {
  readonly id: string
  readonly label: string
  readonly body: string
  readonly selector: string
  readonly location: TipLocation
  /** More precise than `location`: `-start` or `-end` aligns the card to that end of the element. */
  readonly position?: string | null
  /** Tried in this order when `selector` matches nothing. */
  readonly candidates?: readonly string[]
  /** The element's text when it was picked; decides between several matches. */
  readonly target_text?: string | null
  /** The page of the step: a route name or a path; null: every page of the tour. */
  readonly route?: string | null
  /** Default: `next`, nothing else. */
  readonly advance?: Advance
}

export type Launch = 'auto' | 'invite' | 'manual'

/** A published tour, with its steps in order. */
export interface PlayableTour {
  readonly id: string
  readonly label: string
  /** The language of its texts. */
  readonly langcode?: string
  readonly launch: Launch
  readonly routes: readonly { readonly route_name: string }[]
  readonly tips: readonly PlayableTip[]
  /** Who gets the tour by itself, and how often; left out in a preview. The platform decides about the times. */
  readonly targeting?: {
    readonly conditions: readonly {
      readonly attribute: string
      readonly operator: 'is' | 'is_not'
      readonly values: readonly string[]
    }[]
    readonly starts_at: string | null
    readonly ends_at: string | null
    readonly frequency: 'once' | 'days' | 'always'
    readonly days: number | null
  }
}

/** How the player looks and speaks on a page; the platform sends it with the tours. */
export interface PlayerOfPage {
  readonly language: string
  readonly texts: Partial<Texts>
  readonly theme: SiteTheme
  readonly media_origins: readonly string[]
}

type Colours = Readonly<Record<string, string>>

interface SiteTheme {
  readonly light?: Colours
  readonly dark?: Colours
  readonly font?: string
  readonly width?: number
  readonly radius?: number
  readonly arrow?: boolean
}

/** The path of a page, and the route name it declares, if any. */
export interface Place {
  readonly route: string | null
  readonly path: string
}

/** A rectangle in pixels of the framed page's viewport. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Stability = 'high' | 'medium' | 'low'

/** A selector that finds the picked element again. */
export interface SelectorCandidate {
  readonly selector: string
  /** The number of elements it matches now. */
  readonly matches: number
  readonly stability: Stability
  /** The reason for its stability, as a sentence for the editor. */
  readonly why: string
}

interface Envelope {
  readonly channel: typeof channel
  readonly version: typeof protocolVersion
}

/** The messages of the player. */
export type PlayerMessage = Envelope &
  (
    | ({ readonly type: 'ready'; readonly title: string } & Place)
    | ({ readonly type: 'route-changed'; readonly title: string } & Place)
    | { readonly type: 'hovered'; readonly description: string; readonly rect: Rect }
    | {
        readonly type: 'picked'
        readonly candidates: readonly SelectorCandidate[]
        /** The text of the element, at most 120 characters; null without text. */
        readonly text: string | null
        /** A title for a step about the element, cut between words; null without text. */
        readonly title: string | null
        /** A description of the element, such as `button "Save"`. */
        readonly description: string
        readonly rect: Rect
      }
    | { readonly type: 'pick-cancelled' }
    /** The picker could not be loaded: the page's policy blocks it, or the platform is unreachable. */
    | { readonly type: 'pick-failed'; readonly message: string }
    | {
        readonly type: 'counted'
        /** In the order of the request; `valid` is false for selectors that the browser does not accept. */
        readonly counts: readonly {
          readonly selector: string
          readonly matches: number
          readonly valid: boolean
        }[]
      }
    | {
        readonly type: 'step-shown'
        readonly stepId: string
        /** False when no selector matches: the step is shown in the middle of the page with a warning. */
        readonly found: boolean
        /** The selector that found it: the step's own, one of its candidates, or null. */
        readonly selector: string | null
        /** The number of elements that the selector matches. */
        readonly matches: number
      }
    /** A button of a step shown by `show-step` was pressed; the page does nothing else. */
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
    /** The element of a step did not appear in time; the player says so, or continued with the next step. */
    | {
        readonly type: 'preview-step-skipped'
        readonly stepId: string
        readonly index: number
        readonly selector: string
      }
    /** The step is on another page, which is opened now; `play` with this `from` continues there. */
    | { readonly type: 'preview-leaving'; readonly from: number; readonly path: string }
    /** The step is on a route without a fixed path: the editor has to open the page. */
    | { readonly type: 'preview-elsewhere'; readonly from: number; readonly route: string }
    | { readonly type: 'preview-ended'; readonly outcome: 'completed' | 'dismissed' | 'stopped' | 'empty' }
  )

/** The messages of the builder. */
export type BuilderMessage = Envelope &
  (
    | { readonly type: 'hello' }
    | { readonly type: 'pick' }
    | { readonly type: 'cancel-pick' }
    | { readonly type: 'count'; readonly selectors: readonly string[] }
    /** `index` starts at 0. Sending it again for the same step updates the card without moving the focus. */
    | {
        readonly type: 'show-step'
        readonly tip: PlayableTip
        readonly index: number
        readonly total: number
      }
    | { readonly type: 'hide-step' }
    /** Outlines the elements a selector matches; null removes the outlines. */
    | { readonly type: 'highlight'; readonly selector: string | null }
    /** Plays a tour from a step (default 0). Nothing is counted or stored. */
    | { readonly type: 'play'; readonly tour: PlayableTour; readonly from?: number }
    | { readonly type: 'stop' }
  )

type Without<Message> = Message extends Envelope ? Omit<Message, keyof Envelope> : never

/** A message without its envelope. */
export type PlayerPayload = Without<PlayerMessage>
export type BuilderPayload = Without<BuilderMessage>

/** Adds the envelope to a message. */
export function toMessage<Payload extends PlayerPayload | BuilderPayload>(
  payload: Payload,
): Payload & Envelope {
  return { channel, version: protocolVersion, ...payload }
}

/** Recognises a message of the player; undefined for other messages. The receiver must check the origin itself. */
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
