import type { Place } from './command.js';

const NUMBER = /^[1-9]\d{0,15}$/;
const PUBLIC = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

export const APPLICATION: Place = { about: 'Id of the application', pattern: PUBLIC, example: 'acme' };
export const CONTRACT: Place = { about: 'Name of the contract', pattern: PUBLIC, example: 'tf-fiscal' };
export const EVENT: Place = { about: 'Id of the event', pattern: PUBLIC, example: 'order-1042-paid' };
export const ENDPOINT: Place = { about: 'Id of the endpoint', pattern: NUMBER, example: '251604938752001' };
export const DELIVERY: Place = { about: 'Id of the delivery', pattern: NUMBER, example: '251604938752077' };
export const ATTEMPT: Place = { about: 'Number of the attempt', pattern: /^[1-9]\d{0,8}$/, example: '1' };
export const REPLAY: Place = { about: 'Id of the replay', pattern: NUMBER, example: '7' };
