import { z } from 'zod';
import { isServiceUrl } from './http-url.ts';

/** The address that people open, without a final slash. The dashboard and the links of invitations have the same one. */
export const dashboardUrlVariable = z
  .string()
  .refine((text) => isServiceUrl(text) && /^https?:\/\/[^\s/?#@\\]+\/?$/.test(text), {
    error: 'must be an address without a path, such as https://dashboard.example.com',
  })
  .transform((url) => url.replace(/\/$/, ''));
