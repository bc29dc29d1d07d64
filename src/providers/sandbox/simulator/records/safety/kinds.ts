type Range = readonly [low: number, high: number]

/** A kind of safety event, with the ranges of its forces (in g) and durations. */
export interface SafetyKind {
  readonly type: string
  /** The event type in the provider's wording. */
  readonly label: string
  /** Weight in the random choice of a kind. */
  readonly weight: number
  readonly forward: Range
  readonly sideways: Range
  /** Range of durations; [0, 0] for an event without duration. */
  readonly seconds: Range
  /** Whether the vehicle exceeds the speed limit. */
  readonly overLimit?: true
  /** Whether the event happens during the stop after a leg, not during the leg. */
  readonly whileParked?: true
}

const CALM = { forward: [-0.08, 0.08], sideways: [0, 0.06] } as const
const INSTANT: Range = [0, 0]

export const CRASH_KIND = kind('crash', 'Crash', 0.3, { forward: [-5.5, -2], sideways: [0.3, 2] }, INSTANT)

export const SAFETY_KINDS: readonly SafetyKind[] = [
  kind('harsh_brake', 'Harsh Braking', 24, { forward: [-0.75, -0.42], sideways: [0, 0.12] }, INSTANT),
  kind(
    'harsh_acceleration',
    'Harsh Acceleration',
    13,
    { forward: [0.32, 0.52], sideways: [0, 0.1] },
    INSTANT,
  ),
  kind('harsh_turn', 'Harsh Turn', 13, { forward: [-0.15, 0.1], sideways: [0.38, 0.65] }, INSTANT),
  { ...kind('speeding', 'Speeding: Moderate', 17, CALM, [20, 240]), overLimit: true },
  { ...kind('severe_speeding', 'Speeding: Severe', 5, CALM, [15, 90]), overLimit: true },
  kind('tailgating', 'Following Distance', 7, CALM, [8, 60]),
  kind('lane_departure', 'Lane Departure', 5, { forward: [-0.1, 0.05], sideways: [0.08, 0.2] }, INSTANT),
  kind('distracted_driving', 'Inattentive Driving', 5, CALM, [4, 25]),
  kind('phone_use', 'Mobile Usage', 3, CALM, [5, 40]),
  kind('drowsiness', 'Drowsy', 2, CALM, [5, 30]),
  kind('smoking', 'Smoking', 1.5, CALM, [30, 240]),
  kind('food_or_drink', 'Eating or Drinking', 2, CALM, [10, 120]),
  kind('camera_covered', 'Camera Obstructed', 1.5, CALM, [60, 600]),
  kind('ran_stop_sign', 'Ran Stop Sign', 1.5, { forward: [-0.2, 0.1], sideways: [0, 0.15] }, INSTANT),
  kind('ran_red_light', 'Ran Red Light', 1, { forward: [-0.1, 0.2], sideways: [0, 0.1] }, INSTANT),
  { ...kind('parked_unsafely', 'Unsafe Parking', 1, CALM, [120, 700]), whileParked: true },
  kind('no_seat_belt', 'No Seat Belt', 2, CALM, [30, 300]),
  kind('rolling_stop', 'Rolling Stop', 2, CALM, INSTANT),
  kind('near_collision', 'Near Collision', 2, { forward: [-0.95, -0.6], sideways: [0.05, 0.4] }, INSTANT),
  CRASH_KIND,
]

/** Event kind that only trackers with beta firmware report. The adapter does not know its type, and rejects it. */
export const UNDOCUMENTED_KIND = kind('driver_state_7', 'Driver State 7 (beta)', 0, CALM, [5, 20])

function kind(
  type: string,
  label: string,
  weight: number,
  forces: Pick<SafetyKind, 'forward' | 'sideways'>,
  seconds: Range,
): SafetyKind {
  return { type, label, weight, ...forces, seconds }
}
