type BrowserFamily = 'chrome' | 'edge' | 'firefox' | 'opera' | 'safari' | 'samsung' | 'bot' | 'other'

/** In this order: nearly every browser also claims to be one of those further down. */
const marks: readonly (readonly [RegExp, BrowserFamily])[] = [
  [/bot\b|crawler|spider|headless|curl\/|wget\/|python-requests/i, 'bot'],
  [/\bEdg(?:e|A|iOS)?\//, 'edge'],
  [/\bOPR\/|\bOpera\b|\bOPiOS\//, 'opera'],
  [/\bSamsungBrowser\//, 'samsung'],
  [/\bFirefox\/|\bFxiOS\//, 'firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'chrome'],
  [/\bSafari\//, 'safari'],
]

/** Which browser it most likely was, by what it says of itself. */
export function browserFamilyOf(userAgent: string): BrowserFamily {
  return marks.find(([mark]) => mark.test(userAgent))?.[1] ?? 'other'
}
