import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Any as _google_protobuf_Any, Any__Output as _google_protobuf_Any__Output } from './google/protobuf/Any.ts';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from './google/rpc/Status.ts';
import type { AcceptDeletionsRequest as _jobs_deleter_v1_AcceptDeletionsRequest, AcceptDeletionsRequest__Output as _jobs_deleter_v1_AcceptDeletionsRequest__Output } from './jobs/deleter/v1/AcceptDeletionsRequest.ts';
import type { AcceptDeletionsResponse as _jobs_deleter_v1_AcceptDeletionsResponse, AcceptDeletionsResponse__Output as _jobs_deleter_v1_AcceptDeletionsResponse__Output } from './jobs/deleter/v1/AcceptDeletionsResponse.ts';
import type { AllowDeletionsRequest as _jobs_deleter_v1_AllowDeletionsRequest, AllowDeletionsRequest__Output as _jobs_deleter_v1_AllowDeletionsRequest__Output } from './jobs/deleter/v1/AllowDeletionsRequest.ts';
import type { Allowance as _jobs_deleter_v1_Allowance, Allowance__Output as _jobs_deleter_v1_Allowance__Output } from './jobs/deleter/v1/Allowance.ts';
import type { CancelDeletionRequest as _jobs_deleter_v1_CancelDeletionRequest, CancelDeletionRequest__Output as _jobs_deleter_v1_CancelDeletionRequest__Output } from './jobs/deleter/v1/CancelDeletionRequest.ts';
import type { ChangeSafetyRulesRequest as _jobs_deleter_v1_ChangeSafetyRulesRequest, ChangeSafetyRulesRequest__Output as _jobs_deleter_v1_ChangeSafetyRulesRequest__Output } from './jobs/deleter/v1/ChangeSafetyRulesRequest.ts';
import type { CountDeletionsRequest as _jobs_deleter_v1_CountDeletionsRequest, CountDeletionsRequest__Output as _jobs_deleter_v1_CountDeletionsRequest__Output } from './jobs/deleter/v1/CountDeletionsRequest.ts';
import type { CountDeletionsResponse as _jobs_deleter_v1_CountDeletionsResponse, CountDeletionsResponse__Output as _jobs_deleter_v1_CountDeletionsResponse__Output } from './jobs/deleter/v1/CountDeletionsResponse.ts';
import type { CountJobsRequest as _jobs_deleter_v1_CountJobsRequest, CountJobsRequest__Output as _jobs_deleter_v1_CountJobsRequest__Output } from './jobs/deleter/v1/CountJobsRequest.ts';
import type { CountJobsResponse as _jobs_deleter_v1_CountJobsResponse, CountJobsResponse__Output as _jobs_deleter_v1_CountJobsResponse__Output } from './jobs/deleter/v1/CountJobsResponse.ts';
import type { DayCounts as _jobs_deleter_v1_DayCounts, DayCounts__Output as _jobs_deleter_v1_DayCounts__Output } from './jobs/deleter/v1/DayCounts.ts';
import type { DeleteJobsRequest as _jobs_deleter_v1_DeleteJobsRequest, DeleteJobsRequest__Output as _jobs_deleter_v1_DeleteJobsRequest__Output } from './jobs/deleter/v1/DeleteJobsRequest.ts';
import type { DeleteJobsResponse as _jobs_deleter_v1_DeleteJobsResponse, DeleteJobsResponse__Output as _jobs_deleter_v1_DeleteJobsResponse__Output } from './jobs/deleter/v1/DeleteJobsResponse.ts';
import type { DeleterServiceClient as _jobs_deleter_v1_DeleterServiceClient, DeleterServiceDefinition as _jobs_deleter_v1_DeleterServiceDefinition } from './jobs/deleter/v1/DeleterService.ts';
import type { Deletion as _jobs_deleter_v1_Deletion, Deletion__Output as _jobs_deleter_v1_Deletion__Output } from './jobs/deleter/v1/Deletion.ts';
import type { DeletionLimit as _jobs_deleter_v1_DeletionLimit, DeletionLimit__Output as _jobs_deleter_v1_DeletionLimit__Output } from './jobs/deleter/v1/DeletionLimit.ts';
import type { DeletionUsage as _jobs_deleter_v1_DeletionUsage, DeletionUsage__Output as _jobs_deleter_v1_DeletionUsage__Output } from './jobs/deleter/v1/DeletionUsage.ts';
import type { GetDeletionRequest as _jobs_deleter_v1_GetDeletionRequest, GetDeletionRequest__Output as _jobs_deleter_v1_GetDeletionRequest__Output } from './jobs/deleter/v1/GetDeletionRequest.ts';
import type { GetJobRequest as _jobs_deleter_v1_GetJobRequest, GetJobRequest__Output as _jobs_deleter_v1_GetJobRequest__Output } from './jobs/deleter/v1/GetJobRequest.ts';
import type { GetJobTitlesRequest as _jobs_deleter_v1_GetJobTitlesRequest, GetJobTitlesRequest__Output as _jobs_deleter_v1_GetJobTitlesRequest__Output } from './jobs/deleter/v1/GetJobTitlesRequest.ts';
import type { GetJobTitlesResponse as _jobs_deleter_v1_GetJobTitlesResponse, GetJobTitlesResponse__Output as _jobs_deleter_v1_GetJobTitlesResponse__Output } from './jobs/deleter/v1/GetJobTitlesResponse.ts';
import type { GetSafetyRulesRequest as _jobs_deleter_v1_GetSafetyRulesRequest, GetSafetyRulesRequest__Output as _jobs_deleter_v1_GetSafetyRulesRequest__Output } from './jobs/deleter/v1/GetSafetyRulesRequest.ts';
import type { Job as _jobs_deleter_v1_Job, Job__Output as _jobs_deleter_v1_Job__Output } from './jobs/deleter/v1/Job.ts';
import type { ListDeletionsRequest as _jobs_deleter_v1_ListDeletionsRequest, ListDeletionsRequest__Output as _jobs_deleter_v1_ListDeletionsRequest__Output } from './jobs/deleter/v1/ListDeletionsRequest.ts';
import type { ListDeletionsResponse as _jobs_deleter_v1_ListDeletionsResponse, ListDeletionsResponse__Output as _jobs_deleter_v1_ListDeletionsResponse__Output } from './jobs/deleter/v1/ListDeletionsResponse.ts';
import type { ListJobsRequest as _jobs_deleter_v1_ListJobsRequest, ListJobsRequest__Output as _jobs_deleter_v1_ListJobsRequest__Output } from './jobs/deleter/v1/ListJobsRequest.ts';
import type { ListJobsResponse as _jobs_deleter_v1_ListJobsResponse, ListJobsResponse__Output as _jobs_deleter_v1_ListJobsResponse__Output } from './jobs/deleter/v1/ListJobsResponse.ts';
import type { NumberedOutcome as _jobs_deleter_v1_NumberedOutcome, NumberedOutcome__Output as _jobs_deleter_v1_NumberedOutcome__Output } from './jobs/deleter/v1/NumberedOutcome.ts';
import type { NumberedRequest as _jobs_deleter_v1_NumberedRequest, NumberedRequest__Output as _jobs_deleter_v1_NumberedRequest__Output } from './jobs/deleter/v1/NumberedRequest.ts';
import type { RequestOrigin as _jobs_deleter_v1_RequestOrigin, RequestOrigin__Output as _jobs_deleter_v1_RequestOrigin__Output } from './jobs/deleter/v1/RequestOrigin.ts';
import type { SafetyRules as _jobs_deleter_v1_SafetyRules, SafetyRules__Output as _jobs_deleter_v1_SafetyRules__Output } from './jobs/deleter/v1/SafetyRules.ts';
import type { SearchJobsRequest as _jobs_deleter_v1_SearchJobsRequest, SearchJobsRequest__Output as _jobs_deleter_v1_SearchJobsRequest__Output } from './jobs/deleter/v1/SearchJobsRequest.ts';
import type { SearchJobsResponse as _jobs_deleter_v1_SearchJobsResponse, SearchJobsResponse__Output as _jobs_deleter_v1_SearchJobsResponse__Output } from './jobs/deleter/v1/SearchJobsResponse.ts';
import type { StateCounts as _jobs_deleter_v1_StateCounts, StateCounts__Output as _jobs_deleter_v1_StateCounts__Output } from './jobs/deleter/v1/StateCounts.ts';
import type { TitledJob as _jobs_deleter_v1_TitledJob, TitledJob__Output as _jobs_deleter_v1_TitledJob__Output } from './jobs/deleter/v1/TitledJob.ts';
import type { UnavailableJobs as _jobs_deleter_v1_UnavailableJobs, UnavailableJobs__Output as _jobs_deleter_v1_UnavailableJobs__Output } from './jobs/deleter/v1/UnavailableJobs.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  google: {
    protobuf: {
      Any: MessageTypeDefinition<_google_protobuf_Any, _google_protobuf_Any__Output>
    }
    rpc: {
      Status: MessageTypeDefinition<_google_rpc_Status, _google_rpc_Status__Output>
    }
  }
  jobs: {
    deleter: {
      v1: {
        AcceptDeletionsRequest: MessageTypeDefinition<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsRequest__Output>
        AcceptDeletionsResponse: MessageTypeDefinition<_jobs_deleter_v1_AcceptDeletionsResponse, _jobs_deleter_v1_AcceptDeletionsResponse__Output>
        AllowDeletionsRequest: MessageTypeDefinition<_jobs_deleter_v1_AllowDeletionsRequest, _jobs_deleter_v1_AllowDeletionsRequest__Output>
        Allowance: MessageTypeDefinition<_jobs_deleter_v1_Allowance, _jobs_deleter_v1_Allowance__Output>
        CancelDeletionRequest: MessageTypeDefinition<_jobs_deleter_v1_CancelDeletionRequest, _jobs_deleter_v1_CancelDeletionRequest__Output>
        ChangeSafetyRulesRequest: MessageTypeDefinition<_jobs_deleter_v1_ChangeSafetyRulesRequest, _jobs_deleter_v1_ChangeSafetyRulesRequest__Output>
        CountDeletionsRequest: MessageTypeDefinition<_jobs_deleter_v1_CountDeletionsRequest, _jobs_deleter_v1_CountDeletionsRequest__Output>
        CountDeletionsResponse: MessageTypeDefinition<_jobs_deleter_v1_CountDeletionsResponse, _jobs_deleter_v1_CountDeletionsResponse__Output>
        CountJobsRequest: MessageTypeDefinition<_jobs_deleter_v1_CountJobsRequest, _jobs_deleter_v1_CountJobsRequest__Output>
        CountJobsResponse: MessageTypeDefinition<_jobs_deleter_v1_CountJobsResponse, _jobs_deleter_v1_CountJobsResponse__Output>
        DayCounts: MessageTypeDefinition<_jobs_deleter_v1_DayCounts, _jobs_deleter_v1_DayCounts__Output>
        DeleteJobsRequest: MessageTypeDefinition<_jobs_deleter_v1_DeleteJobsRequest, _jobs_deleter_v1_DeleteJobsRequest__Output>
        DeleteJobsResponse: MessageTypeDefinition<_jobs_deleter_v1_DeleteJobsResponse, _jobs_deleter_v1_DeleteJobsResponse__Output>
        DeleterService: SubtypeConstructor<typeof grpc.Client, _jobs_deleter_v1_DeleterServiceClient> & { service: _jobs_deleter_v1_DeleterServiceDefinition }
        Deletion: MessageTypeDefinition<_jobs_deleter_v1_Deletion, _jobs_deleter_v1_Deletion__Output>
        DeletionLimit: MessageTypeDefinition<_jobs_deleter_v1_DeletionLimit, _jobs_deleter_v1_DeletionLimit__Output>
        DeletionState: EnumTypeDefinition
        DeletionUsage: MessageTypeDefinition<_jobs_deleter_v1_DeletionUsage, _jobs_deleter_v1_DeletionUsage__Output>
        GetDeletionRequest: MessageTypeDefinition<_jobs_deleter_v1_GetDeletionRequest, _jobs_deleter_v1_GetDeletionRequest__Output>
        GetJobRequest: MessageTypeDefinition<_jobs_deleter_v1_GetJobRequest, _jobs_deleter_v1_GetJobRequest__Output>
        GetJobTitlesRequest: MessageTypeDefinition<_jobs_deleter_v1_GetJobTitlesRequest, _jobs_deleter_v1_GetJobTitlesRequest__Output>
        GetJobTitlesResponse: MessageTypeDefinition<_jobs_deleter_v1_GetJobTitlesResponse, _jobs_deleter_v1_GetJobTitlesResponse__Output>
        GetSafetyRulesRequest: MessageTypeDefinition<_jobs_deleter_v1_GetSafetyRulesRequest, _jobs_deleter_v1_GetSafetyRulesRequest__Output>
        Job: MessageTypeDefinition<_jobs_deleter_v1_Job, _jobs_deleter_v1_Job__Output>
        ListDeletionsRequest: MessageTypeDefinition<_jobs_deleter_v1_ListDeletionsRequest, _jobs_deleter_v1_ListDeletionsRequest__Output>
        ListDeletionsResponse: MessageTypeDefinition<_jobs_deleter_v1_ListDeletionsResponse, _jobs_deleter_v1_ListDeletionsResponse__Output>
        ListJobsRequest: MessageTypeDefinition<_jobs_deleter_v1_ListJobsRequest, _jobs_deleter_v1_ListJobsRequest__Output>
        ListJobsResponse: MessageTypeDefinition<_jobs_deleter_v1_ListJobsResponse, _jobs_deleter_v1_ListJobsResponse__Output>
        NumberedOutcome: MessageTypeDefinition<_jobs_deleter_v1_NumberedOutcome, _jobs_deleter_v1_NumberedOutcome__Output>
        NumberedRequest: MessageTypeDefinition<_jobs_deleter_v1_NumberedRequest, _jobs_deleter_v1_NumberedRequest__Output>
        RequestOrigin: MessageTypeDefinition<_jobs_deleter_v1_RequestOrigin, _jobs_deleter_v1_RequestOrigin__Output>
        SafetyRules: MessageTypeDefinition<_jobs_deleter_v1_SafetyRules, _jobs_deleter_v1_SafetyRules__Output>
        SearchJobsRequest: MessageTypeDefinition<_jobs_deleter_v1_SearchJobsRequest, _jobs_deleter_v1_SearchJobsRequest__Output>
        SearchJobsResponse: MessageTypeDefinition<_jobs_deleter_v1_SearchJobsResponse, _jobs_deleter_v1_SearchJobsResponse__Output>
        StateCounts: MessageTypeDefinition<_jobs_deleter_v1_StateCounts, _jobs_deleter_v1_StateCounts__Output>
        TitledJob: MessageTypeDefinition<_jobs_deleter_v1_TitledJob, _jobs_deleter_v1_TitledJob__Output>
        UnavailableJobs: MessageTypeDefinition<_jobs_deleter_v1_UnavailableJobs, _jobs_deleter_v1_UnavailableJobs__Output>
      }
    }
  }
}

