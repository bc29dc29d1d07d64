import type { ProviderFace } from '../view.ts'
import { html, type Html } from './html.ts'
import { face, icon, initial } from './icons.ts'
import type { PageContext } from './page-context.ts'
import { type StepOnTheWay, stepsOnTheWay } from './i18n/texts.ts'

/**
 * The way from the provider to the application, as a road with a stop for each step, driven as far as the fleet has
 * come.
 */
export function progressIndicator(
  { texts, frame }: PageContext,
  step: StepOnTheWay | 'done',
  provider?: ProviderFace,
): Html {
  const place = step === 'done' ? stepsOnTheWay.length : stepsOnTheWay.indexOf(step)
  return html`<div class="route route-${step}">
    <div class="route-line" aria-hidden="true">
      ${provider ? face(provider) : html`<span class="face face-unknown">${icon('vehicles')}</span>`}
      <svg viewBox="0 0 320 56" preserveAspectRatio="none" focusable="false">
        <path class="road" d="${ROAD.join(' ')}" />
        <path class="road-driven" d="${ROAD.slice(0, place + 1).join(' ')}" />
        <path class="road-traffic" d="${ROAD.join(' ')}" />
        ${STOPS.map((at, number) => stop(at, number < place ? 'passed' : number === place ? 'here' : 'ahead'))}
      </svg>
      <span class="face face-letter face-app">${initial(frame.applicationName ?? '')}</span>
    </div>
    ${step !== 'done' && html`<p class="route-step">${texts.stepOf(place + 1, stepsOnTheWay.length)}<span aria-hidden="true"> · </span><strong>${texts.steps[step]}</strong></p>`}
  </div>`
}

/** From the provider to each stop, and from the last one to the application. */
const ROAD = [
  'M0 28 C 20 28, 28 12, 52 12',
  'S 100 44, 124 44',
  'S 172 12, 196 12',
  'S 244 44, 268 44',
  'S 300 28, 320 28',
]

const STOPS = ['M52 12h.01', 'M124 44h.01', 'M196 12h.01', 'M268 44h.01']

/** Dots are lines of no length with round ends: they stay round however wide the road is drawn. */
const stop = (at: string, state: string): Html =>
  html`<path class="stop stop-${state}" d="${at}" /><path class="stop-heart stop-heart-${state}" d="${at}" />`
