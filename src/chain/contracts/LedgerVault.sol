// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Custody} from "./Custody.sol";
import {Exit} from "./Exit.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {Account, Accounts, Escrow, Escrows, EscrowState} from "./Records.sol";
import {ServiceToken} from "./ServiceToken.sol";
import {Settlement} from "./Settlement.sol";

/// @title The Tokens behind one operator's ledger.
/// @notice Its accounts and escrows change by the operator's stream only, through the Settlement that this contract
/// makes for itself. Nobody has a role here, the operator neither; and nothing in it can be replaced.
contract LedgerVault is Exit {
    using Accounts for Account;
    using Escrows for Escrow;

    Settlement public immutable settlement;

    error OnlySettlement(address caller);

    /// @param admin grants and revokes who may send the stream; a multisig wherever the Token is worth something
    /// @param operator sends the stream
    /// @param genesis head of the empty stream
    constructor(
        ServiceToken token_,
        IdentityRegistry registry_,
        address admin,
        address operator,
        bytes32 genesis
    ) Custody(token_) Exit(registry_) {
        settlement = new Settlement(this, admin, operator, genesis);
    }

    /// @notice Applies the next operations of the stream.
    /// @param ops whole operations of known kinds: Settlement has looked
    function execute(uint64 first, bytes calldata ops) external nonReentrant {
        require(msg.sender == address(settlement), OnlySettlement(msg.sender));
        require(_outside.closedAt == 0, VaultClosed());
        if (ops.length > 0) _run(first, ops);
    }

    /// @return available Tokens to spend
    /// @return reserved for escrows that are not funded
    /// @return escrowed in funded ones
    /// @return frozen its available Tokens can't be spent
    /// @return index from 1 in order of first use; 0: no operation has named the account
    function accountOf(
        bytes32 account
    ) external view returns (uint256 available, uint256 reserved, uint256 escrowed, bool frozen, uint256 index) {
        Account found = _accounts[account];
        return (found.available(), found.reserved(), found.escrowed(), found.frozen(), found.index());
    }

    /// @param escrow SHA-256 of the escrow's id
    /// @return state what became of it
    /// @return amount what it was made for
    /// @return remaining what it holds
    /// @return expiryMs epoch milliseconds; 0: never
    /// @return depositor index of the account
    /// @return beneficiary index of the account
    function escrowOf(
        bytes32 escrow
    )
        external
        view
        returns (
            EscrowState state,
            uint256 amount,
            uint256 remaining,
            uint256 expiryMs,
            uint256 depositor,
            uint256 beneficiary
        )
    {
        Escrow found = _escrows[escrow];
        return (found.state(), found.amount(), found.remaining(), found.expiry(), found.from(), found.to());
    }

    /// @notice The vault's Tokens are never less than `owed` + `waiting` + `heldBack`.
    /// @return owed to all accounts, with what escrows hold, and with `fees`
    /// @return fees that nobody has collected
    /// @return waiting in deposits that no operation has taken
    /// @return heldBack of withdrawals that the Token refused to pay
    /// @return accounts how many there are
    /// @return deposits how many were ever made
    /// @return closedAt when the stream ended, seconds; 0: it goes on
    function totals()
        external
        view
        returns (
            uint256 owed,
            uint256 fees,
            uint256 waiting,
            uint256 heldBack,
            uint256 accounts,
            uint256 deposits,
            uint256 closedAt
        )
    {
        Outside memory outside = _outside;
        return (
            _books.owed,
            _books.fees,
            outside.waiting,
            outside.held,
            _books.accounts,
            outside.deposits,
            outside.closedAt
        );
    }

    function _silentSince() internal view override returns (uint256) {
        return settlement.lastBatchAt();
    }
}
