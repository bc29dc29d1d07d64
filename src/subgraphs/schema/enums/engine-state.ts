import { registerEnumType } from 'type-graphql'

export enum EngineState {
  ON = 'on',
  OFF = 'off',
  IDLE = 'idle',
}

registerEnumType(EngineState, {
  name: 'EngineState',
  description: 'The state of an engine.',
  valuesConfig: {
    ON: { description: 'The engine runs and the vehicle drives.' },
    OFF: { description: 'The engine does not run.' },
    IDLE: { description: 'The engine runs and the vehicle stands still.' },
  },
})
