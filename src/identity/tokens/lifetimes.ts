/** Seconds an access token lives that came from a sign-in with a password. */
export const loginTokenSeconds = 900

/** Seconds an access token lives that came from the authorization server. */
export const oauthTokenSeconds = 3600

/** After this long, no access token issued before is still alive, whoever issued it. */
export const longestAccessTokenSeconds = Math.max(loginTokenSeconds, oauthTokenSeconds)

export const refreshTokenSeconds = 30 * 86_400

export const authorizationCodeSeconds = 60
