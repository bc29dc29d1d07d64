import type { ConsentCategory, ProviderSummary } from '../view.ts'
import { html, type Html, safeImageUrl } from './html.ts'

/**
 * Icons of the pages: SVG paths in a field of 24 by 24, separated by `|`. They are decorative, because the text next to
 * an icon has the same meaning.
 */
const lines = {
  vehicles: 'M2.5 6.5h11v10h-11z|M13.5 10h4l3.5 3.5v3h-7.5z|M7 18.5a2 2 0 1 0 0-.1|M17 18.5a2 2 0 1 0 0-.1',
  drivers:
    'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5z|M4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  locations:
    'M12 21s6.5-5.6 6.5-11a6.5 6.5 0 0 0-13 0c0 5.4 6.5 11 6.5 11z|M12 12.250a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.500z',
  trips:
    'M5.5 20a2 2 0 1 0 0-.1|M18.5 6a2 2 0 1 0 0-.1|M7.5 18.500h7.500a3.25 3.25 0 0 0 0-6.500H9a3.25 3.25 0 0 1 0-6.500h7.5',
  hours: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z|M12 7.500V12l3 2',
  safety: 'M12 3.500l7 2.500v5.500c0 4.3-2.9 7.4-7 9-4.1-1.6-7-4.7-7-9V6z|M12 8.500v4|M12 15.500v.1',
  faults:
    'M14.5 6.500a4 4 0 0 1 5-2.500l-2.5 2.7 1 2.3 2.3.5 1.2-2a4 4 0 0 1-5.5 4.500L9 19a2.3 2.3 0 0 1-3.3-3.300l6.8-6.700a4 4 0 0 1 2-2.500z',
  fuel_tax:
    'M5 20.500V5.500a2 2 0 0 1 2-2h5a2 2 0 0 1 2 2v15z|M5 10.500h9|M14 13h1.500a1.5 1.5 0 0 1 1.5 1.500V17a1.5 1.5 0 0 0 3 0V9.500L17 6.5',
  lock: 'M6 11h12v9H6z|M8.5 11V8a3.5 3.5 0 0 1 7 0v3|M12 14.500v2',
  choice: 'M4.5 12.500l4.5 4.500L19.5 6.5',
  stop: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z|M9 9h6v6H9z',
  chevron: 'M9.5 5.500L16 12l-6.5 6.5',
  back: 'M14.5 5.500L8 12l6.5 6.5',
  alert: 'M12 4L2.8 19.500h18.400z|M12 10v4.5|M12 17v.1',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z|M15.5 15.500l5 5',
} satisfies Readonly<Record<ConsentCategory | string, string>>

export function icon(name: keyof typeof lines): Html {
  const paths = lines[name].split('|').map((d) => html`<path d="${d}" />`)
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${paths}</svg>`
}

/** Returns the icon of a provider. Returns its initial instead, if the image would come from another server. */
export function providerIcon({ name, icon: iconUrl }: Pick<ProviderSummary, 'name' | 'icon'>): Html {
  const imageUrl = safeImageUrl(iconUrl)
  return imageUrl
    ? html`<img class="face" src="${imageUrl}" alt="" width="40" height="40" />`
    : html`<span class="face face-letter" aria-hidden="true">${initial(name)}</span>`
}

export const initial = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '·'
