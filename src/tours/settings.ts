import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The settings of the tours module. */
export const toursSettings = defineSettings({
  visitorRequestsPerMinute: setting.integer('TUTTI_TOUR_VISITOR_LIMIT', {
    editable: { section: 'tours', label: 'Visitor requests per minute' },
    about:
      'Requests per minute with visitor events from one IP address; raise it for sites whose visitors share an address',
    default: 20,
    min: 1,
    max: 100_000,
  }),
})

export type ToursSettings = SettingsOf<typeof toursSettings>
