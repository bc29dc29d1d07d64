import type { LinkStep, ProviderSummary } from '../view.ts'
import { html, type Html } from './html.ts'
import { providerIcon, icon, initial } from './icons.ts'
import type { PageContext } from './page-context.ts'

/**
 * Renders the progress as a road from the provider to the application. The road has a stop for each step. It is drawn
 * as driven up to the current step.
 */
export function progressIndicator(
  { texts, options }: PageContext,
  step: LinkStep | 'done',
  provider?: ProviderSummary,
): Html {
  const { steps } = options
  const index = step === 'done' ? steps.length : steps.indexOf(step)
  const road = [...ROAD.slice(0, steps.length), endOfRoad(steps.length)]
  return html`<div class="route route-${step}">
    <div class="route-line" aria-hidden="true">
      ${provider ? providerIcon(provider) : html`<span class="face face-unknown">${icon('vehicles')}</span>`}
      <svg viewBox="0 0 ${widthOf(steps.length)} 56" preserveAspectRatio="none" focusable="false">
        <path class="road" d="${road.join(' ')}" />
        <path class="road-driven" d="${road.slice(0, index + 1).join(' ')}" />
        <path class="road-traffic" d="${road.join(' ')}" />
        ${STOPS.slice(0, steps.length).map((d, stopIndex) => stop(d, stopIndex < index ? 'passed' : stopIndex === index ? 'here' : 'ahead'))}
      </svg>
      <span class="face face-letter face-app">${initial(options.applicationName ?? '')}</span>
    </div>
    ${step !== 'done' && html`<p class="route-step">${texts.stepOf(index + 1, steps.length)}<span aria-hidden="true"> · </span><strong>${texts.steps[step]}</strong></p>`}
    ${provider?.isSandbox && html`<p class="route-sandbox">${texts.simulated}</p>`}
  </div>`
}

/** Segments of the road to each stop: from the provider to the first one, then from stop to stop. */
const ROAD = ['M0 28 C 20 28, 28 12, 52 12', 'S 100 44, 124 44', 'S 172 12, 196 12', 'S 244 44, 268 44']

/** Width of a road with this many stops. */
const widthOf = (stops: number): number => 32 + 72 * stops

/** Segment from the last stop to the application. */
const endOfRoad = (stops: number): string => `S ${widthOf(stops) - 20} 28, ${widthOf(stops)} 28`

const STOPS = ['M52 12h.01', 'M124 44h.01', 'M196 12h.01', 'M268 44h.01']

/** Renders a stop as lines of zero length with round ends. Circles would be stretched with the width of the road. */
const stop = (d: string, state: string): Html =>
  html`<path class="stop stop-${state}" d="${d}" /><path class="stop-heart stop-heart-${state}" d="${d}" />`
