import { addressVariable, isServiceUrl } from '@jobs-delete/runtime/config/addresses';
import { integer, described } from '@jobs-delete/runtime/config/variables';
import { z } from 'zod';

/** Where callers reach the API. The gateway serves it, and the pages of the dashboard show it. */
export const apiAddressVariables = {
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('listen address of the gateway or the dashboard; `0.0.0.0` in the image'),
  PORT: integer(0, 65_535, 8_080).describe('port of the gateway; 0 picks a free one'),
  BASE_PATH: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, { error: 'must be a path such as /api, without a slash at its end' })
    .default('')
    .describe('prefix of every path, such as `/api`'),
  PUBLIC_URL: addressVariable('must be an address such as https://api.example.com, without BASE_PATH')
    .default('')
    .describe(
      'address of the API for its callers, without `BASE_PATH`, such as `https://api.example.com`; makes the `type` of a problem absolute',
    ),
};

/** Where people reach the dashboard. Its pages and the links of invitations have the same address. */
export const dashboardAddressVariables = {
  DASHBOARD_URL: described(
    z
      .string()
      .refine((text) => isServiceUrl(text) && /^https?:\/\/[^\s/?#@\\]+\/?$/.test(text), {
        error: 'must be an address without a path, such as https://dashboard.example.com',
      })
      .transform((url) => url.replace(/\/$/, ''))
      .optional(),
    {
      fallback: '`http://localhost:` and the port',
      text: 'the address that people open, without a path, such as `https://dashboard.example.com`; invitations contain it, and passkeys belong to its host name',
    },
  ),
};
