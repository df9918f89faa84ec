import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The environment of tours. */
export const toursSettings = defineSettings({
  visitorRequestsPerMinute: setting.integer('TUTTI_TOUR_VISITOR_LIMIT', {
    about:
      'How often the players of one address may tell in a minute what their visitors do; a site whose visitors share an address wants more',
    default: 20,
    min: 1,
    max: 100_000,
  }),
})

export type ToursSettings = SettingsOf<typeof toursSettings>
