import { createLiveSettings, type LiveSettings, type LiveSettingsOptions } from '#kernel/live-settings'
import { checkChannels } from '#notifications'
import { type Settings, settingsByPart } from './settings.ts'

/** The parts with settings that administrators change while the platform runs. */
const liveParts = ['identity', 'models', 'engine', 'webhooks', 'notifications', 'tours', 'status'] as const

type LiveParts = Pick<Settings, (typeof liveParts)[number]>

interface OpenLiveSettings extends AsyncDisposable {
  readonly liveSettings: LiveSettings
  /** The settings of these parts with current values. */
  readonly live: LiveParts
}

/** Reads the stored settings of all parts and follows their changes. Throws when the database cannot be read. */
export async function openLiveSettings(
  settings: Settings,
  options: Pick<LiveSettingsOptions, 'database' | 'encryption' | 'events' | 'log'>,
): Promise<OpenLiveSettings> {
  const liveSettings = await createLiveSettings({
    ...options,
    groups: Object.values(settingsByPart),
    environment: settings.fixedByEnvironment,
    check: checkChannels,
  })
  const views = liveParts.map((part) => [part, liveSettings.view(settingsByPart[part], settings[part])])
  return {
    liveSettings,
    live: Object.fromEntries(views) as LiveParts,
    [Symbol.asyncDispose]: () => liveSettings[Symbol.asyncDispose](),
  }
}
